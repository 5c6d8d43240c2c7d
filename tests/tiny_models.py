"""Tiny checkpoints with random weights: the smallest things that the huggingface backend runs.

A checkpoint takes about a second to make and a few megabytes. The tokenizer is trained on a handful of sentences and
knows every byte.
"""

from __future__ import annotations

import functools
import hashlib
import io
from pathlib import Path
from typing import Any, Literal

from lifeloom.records import PictureReference

__all__ = [
    "CHAT_TEMPLATE",
    "GEMMA_TEMPLATE",
    "SYSTEMLESS_TEMPLATE",
    "VISION_TEMPLATE",
    "TinyPictures",
    "save_adapter",
    "save_gemma_model",
    "save_recurrent_model",
    "save_text_model",
    "save_vision_model",
]

SPECIAL = (
    *("<|endoftext|>", "<|im_start|>", "<|im_end|>"),
    *("<|vision_start|>", "<|vision_end|>", "<|image_pad|>", "<|video_pad|>"),
)

CHAT_TEMPLATE = """\
{%- for message in messages -%}
<|im_start|>{{ message.role }}
{{ message.content }}<|im_end|>
{% endfor -%}
{%- if add_generation_prompt -%}
<|im_start|>assistant
{% if enable_thinking is defined and not enable_thinking %}<think>

</think>

{% endif %}{% endif -%}
"""
"""Texts as content; shuts thinking off in the manner of Qwen3."""

SYSTEMLESS_TEMPLATE = """\
{%- if messages[0].role == "system" -%}{{ raise_exception("System role not supported") }}{%- endif -%}
{%- for message in messages -%}
<|im_start|>{{ message.role }}
{{ message.content }}<|im_end|>
{% endfor -%}
{%- if add_generation_prompt -%}<|im_start|>assistant
{% endif -%}
"""
"""Knows no system message, in the manner of the first Gemmas."""

VISION_TEMPLATE = """\
{%- for message in messages -%}
<|im_start|>{{ message.role }}
{% for part in message.content -%}
{%- if part.type == "image" -%}<|vision_start|><|image_pad|><|vision_end|>{%- else -%}{{ part.text }}{%- endif -%}
{%- endfor -%}<|im_end|>
{% endfor -%}
{%- if add_generation_prompt -%}<|im_start|>assistant
{% endif -%}
"""
"""Parts as content."""

GEMMA_TEMPLATE = """\
{{ bos_token }}
{%- if messages[0].role == "system" -%}
{%- set first = messages[0].content[0].text + "\n\n" -%}
{%- set messages = messages[1:] -%}
{%- endif -%}
{%- for message in messages -%}
{%- if (message.role == "user") != (loop.index0 % 2 == 0) -%}{{ raise_exception("roles must alternate") }}{%- endif -%}
<start_of_turn>{{ "model" if message.role == "assistant" else message.role }}
{% if loop.first %}{{ first }}{% endif -%}
{%- for part in message.content -%}
{%- if part.type == "image" -%}<start_of_image>{%- else -%}{{ part.text | trim }}{%- endif -%}
{%- endfor -%}<end_of_turn>
{% endfor -%}
{%- if add_generation_prompt -%}<start_of_turn>model
{% endif -%}
"""
"""Parts as content; strict about whose turn it is; pictures by one mark, in the manner of Gemma 3."""

_SENTENCES = [
    f"system user assistant You are the user's long-term assistant. In room {number} I drink green tea, not black "
    'coffee. {"letter": "a"} {"verdict": "yes"} Answer with the letter of the option. Earlier messages: Now: Question:'
    for number in range(100)
]


@functools.cache
def _tokenizer_json() -> str:
    from tokenizers import Tokenizer, decoders, models, pre_tokenizers, trainers

    tokenizer = Tokenizer(models.BPE())
    tokenizer.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    tokenizer.decoder = decoders.ByteLevel()
    trainer = trainers.BpeTrainer(
        vocab_size=512,
        special_tokens=list(SPECIAL),
        initial_alphabet=pre_tokenizers.ByteLevel.alphabet(),
        show_progress=False,
    )
    tokenizer.train_from_iterator(_SENTENCES, trainer)
    return str(tokenizer.to_str())


def _tokenizer(template: str | None) -> Any:
    from tokenizers import Tokenizer
    from transformers import PreTrainedTokenizerFast

    tokenizer = PreTrainedTokenizerFast(
        tokenizer_object=Tokenizer.from_str(_tokenizer_json()),
        eos_token="<|im_end|>",
        pad_token="<|endoftext|>",
        additional_special_tokens=["<|im_start|>", *SPECIAL[3:]],
    )
    tokenizer.add_tokens(["<think>", "</think>"])  # plain ones, which survive decoding
    if template is not None:
        tokenizer.chat_template = template
    return tokenizer


def _text_config(tokenizer: Any, context: int) -> dict[str, Any]:
    ids = tokenizer.convert_tokens_to_ids
    return {
        "vocab_size": len(tokenizer) + 8,  # as in real checkpoints, some rows stand for no token
        "hidden_size": 64,
        "intermediate_size": 128,
        "num_hidden_layers": 2,
        "num_attention_heads": 4,
        "num_key_value_heads": 2,
        "head_dim": 16,
        "max_position_embeddings": context,
        "bos_token_id": None,
        "eos_token_id": ids("<|im_end|>"),
        "pad_token_id": ids("<|endoftext|>"),
    }


def _save(model: Any, folder: Path, tokenizer: Any) -> None:
    import torch

    with torch.no_grad():
        for name, weight in model.named_parameters():
            # With the usual initialisation all tokens are nearly as likely, and what was read long ago hardly counts.
            if "embed_tokens" in name or "lm_head" in name:
                weight.mul_(8.0)
            elif any(part in name for part in ("q_proj", "k_proj", "v_proj", "o_proj")) and weight.dim() > 1:
                weight.mul_(6.0)
    model.generation_config.eos_token_id = tokenizer.eos_token_id
    model.generation_config.pad_token_id = tokenizer.pad_token_id
    model.save_pretrained(folder)


def save_text_model(
    folder: Path,
    *,
    seed: int = 0,
    template: str | None = CHAT_TEMPLATE,
    context: int = 2048,
    sliding: int | None = None,
    experts: int = 0,
) -> Path:
    """Save a model of text (the architecture of Qwen3) and return its folder.

    Args:
        folder: Where.
        seed: Another seed is another model.
        template: None for a checkpoint that was never taught to chat.
        context: Tokens.
        sliding: Window of the attention in every layer; None for full attention.
        experts: Experts a layer, two of which are active; 0 for a dense model.
    """
    import torch
    from transformers import Qwen3Config, Qwen3ForCausalLM, Qwen3MoeConfig, Qwen3MoeForCausalLM

    tokenizer = _tokenizer(template)
    windows = {} if sliding is None else {"use_sliding_window": True, "sliding_window": sliding, "max_window_layers": 0}
    shared = {**_text_config(tokenizer, context), **windows, "tie_word_embeddings": False}
    torch.manual_seed(seed)
    model: Any
    if experts:
        mixture = {"num_experts": experts, "num_experts_per_tok": 2, "moe_intermediate_size": 32}
        model = Qwen3MoeForCausalLM(Qwen3MoeConfig(**shared, **mixture))
    else:
        model = Qwen3ForCausalLM(Qwen3Config(**shared))
    _save(model, folder, tokenizer)
    tokenizer.save_pretrained(folder)
    return folder


def save_vision_model(kind: Literal["qwen2_5_vl", "qwen3_vl"], folder: Path, *, seed: int = 0) -> Path:
    """Save a model that sees and return its folder."""
    import torch
    import transformers

    tokenizer = _tokenizer(VISION_TEMPLATE)
    ids = tokenizer.convert_tokens_to_ids
    marks = {
        "image_token_id": ids("<|image_pad|>"),
        "video_token_id": ids("<|video_pad|>"),
        "vision_start_token_id": ids("<|vision_start|>"),
        "vision_end_token_id": ids("<|vision_end|>"),
        "tie_word_embeddings": False,
    }
    text = _text_config(tokenizer, 4096)
    rope = {"rope_type": "default", "rope_theta": 1e6, "mrope_section": [4, 2, 2]}  # sums to half a head
    vision = {"depth": 2, "hidden_size": 32, "intermediate_size": 64, "num_heads": 2, "out_hidden_size": 64}
    torch.manual_seed(seed)
    model: Any
    if kind == "qwen2_5_vl":
        patch = 14
        del text["head_dim"]
        model = transformers.Qwen2_5_VLForConditionalGeneration(
            transformers.Qwen2_5_VLConfig(
                text_config={**text, "rope_parameters": rope},
                vision_config={**vision, "patch_size": patch, "window_size": 56, "fullatt_block_indexes": [1]},
                **marks,
            )
        )
        processor_class, video_class = transformers.Qwen2_5_VLProcessor, transformers.Qwen2VLVideoProcessor
    else:
        patch = 16
        model = transformers.Qwen3VLForConditionalGeneration(
            transformers.Qwen3VLConfig(
                text_config={**text, "rope_parameters": {**rope, "mrope_interleaved": True}},
                vision_config={
                    **vision,
                    "patch_size": patch,
                    "num_position_embeddings": 64,
                    "deepstack_visual_indexes": [0],
                },
                **marks,
            )
        )
        processor_class, video_class = transformers.Qwen3VLProcessor, transformers.Qwen3VLVideoProcessor
    size = {"shortest_edge": (2 * patch) ** 2, "longest_edge": 16 * (2 * patch) ** 2}
    pixels = {"patch_size": patch, "merge_size": 2, "temporal_patch_size": 2}
    processor = processor_class(
        image_processor=transformers.Qwen2VLImageProcessor(size=size, **pixels),
        tokenizer=tokenizer,
        video_processor=video_class(**pixels),
        chat_template=VISION_TEMPLATE,
    )
    _save(model, folder, tokenizer)
    processor.save_pretrained(folder)
    return folder


def save_gemma_model(folder: Path, *, seed: int = 0) -> Path:
    """Save a model that sees (the architecture of Gemma 3, half of its layers with a sliding window)."""
    import torch
    import transformers
    from tokenizers import Tokenizer

    marks = {"image_token": "<image_soft_token>", "boi_token": "<start_of_image>", "eoi_token": "<end_of_image>"}
    tokenizer: Any = transformers.PreTrainedTokenizerFast(
        tokenizer_object=Tokenizer.from_str(_tokenizer_json()),
        bos_token="<bos>",
        eos_token="<end_of_turn>",
        pad_token="<pad>",
        additional_special_tokens=["<start_of_turn>"],
        extra_special_tokens=marks,
    )
    ids = tokenizer.convert_tokens_to_ids
    text = {
        **_text_config(tokenizer, 2048),
        "bos_token_id": ids("<bos>"),
        "eos_token_id": ids("<end_of_turn>"),
        "pad_token_id": ids("<pad>"),
        "sliding_window": 32,
        "query_pre_attn_scalar": 16,
        "layer_types": ["sliding_attention", "full_attention"],
    }
    vision = {"hidden_size": 32, "intermediate_size": 64, "num_hidden_layers": 1, "num_attention_heads": 2}
    torch.manual_seed(seed)
    model = transformers.Gemma3ForConditionalGeneration(
        transformers.Gemma3Config(
            text_config=text,
            vision_config={**vision, "image_size": 56, "patch_size": 14},
            mm_tokens_per_image=4,
            image_token_index=ids("<image_soft_token>"),
            boi_token_index=ids("<start_of_image>"),
            eoi_token_index=ids("<end_of_image>"),
        )
    )
    images: Any = transformers.Gemma3ImageProcessor(size={"height": 56, "width": 56}, image_seq_length=4)
    processor = transformers.Gemma3Processor(
        image_processor=images, tokenizer=tokenizer, chat_template=GEMMA_TEMPLATE, image_seq_length=4
    )
    _save(model, folder, tokenizer)
    processor.save_pretrained(folder)
    return folder


def save_recurrent_model(folder: Path, *, seed: int = 0) -> Path:
    """Save a model of text that remembers in its convolutions as well as by keys and values (that of LFM2)."""
    import torch
    from transformers import Lfm2Config, Lfm2ForCausalLM

    tokenizer = _tokenizer(CHAT_TEMPLATE)
    config = Lfm2Config(
        **_text_config(tokenizer, 2048), layer_types=["conv", "full_attention"], tie_word_embeddings=False
    )
    torch.manual_seed(seed)
    _save(Lfm2ForCausalLM(config), folder, tokenizer)
    tokenizer.save_pretrained(folder)
    return folder


def save_adapter(folder: Path, base: Path, *, seed: int = 0) -> Path:
    """Save a LoRA for the model in ``base`` that changes what it says, and return its folder."""
    import torch
    from peft import LoraConfig, get_peft_model
    from transformers import AutoConfig, AutoModelForCausalLM, AutoModelForImageTextToText

    sees = hasattr(AutoConfig.from_pretrained(base, local_files_only=True), "vision_config")
    auto = AutoModelForImageTextToText if sees else AutoModelForCausalLM
    model = get_peft_model(
        auto.from_pretrained(base, local_files_only=True),
        LoraConfig(r=4, target_modules=["q_proj", "v_proj", "o_proj"]),
    )
    generator = torch.Generator().manual_seed(seed)
    with torch.no_grad():
        for name, weight in model.named_parameters():
            if "lora_B" in name:
                weight.normal_(generator=generator)
    model.save_pretrained(folder)
    return folder


class TinyPictures:
    """Plain pictures by colour, and the source that gives their files."""

    def __init__(self) -> None:
        self._files: dict[str, bytes] = {}

    def add(self, colour: str, size: tuple[int, int] = (64, 64)) -> PictureReference:
        """Return the reference of a picture of one colour."""
        from PIL import Image

        file = io.BytesIO()
        Image.new("RGB", size, colour).save(file, "PNG")
        return self.add_file(file.getvalue(), size)

    def add_file(self, data: bytes, size: tuple[int, int]) -> PictureReference:
        """Return the reference of the picture in the file ``data``."""
        content_hash = hashlib.sha256(data).hexdigest()
        self._files[content_hash] = data
        return PictureReference(content_hash=content_hash, width=size[0], height=size[1])

    def __call__(self, picture: PictureReference) -> bytes:
        return self._files[picture.content_hash]
