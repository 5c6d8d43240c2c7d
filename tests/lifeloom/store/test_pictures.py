import hashlib
import io
import os
import pickle
import struct
import subprocess
import sys
import warnings
import zlib

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from PIL import Image, ImageFile

from lifeloom.store import DatasetStore, MediaMissing, StoreError
from lifeloom.store.pictures import (
    MAX_BYTES,
    MAX_PIXELS,
    REASONS,
    PictureRejected,
    decode_picture,
    encode_png,
    picture_hash,
    read_picture_file,
)
from tests.lifeloom.store.pictures_made import (
    bombs,
    chunk,
    exif,
    gif,
    greedy_exif,
    png,
    saved,
    scene,
    webp_header,
    with_chunk,
    with_segment,
)

GREY, RED, GREEN, BLUE, WHITE = (128, 128, 128), (255, 0, 0), (0, 255, 0), (0, 0, 255), (255, 255, 255)
BOMBS = bombs()


def refused(data):
    with pytest.raises(PictureRejected) as caught:
        decode_picture(data)
    assert caught.value.detail
    return caught.value.reason


def outcome(data):
    try:
        return decode_picture(data).mode
    except PictureRejected as error:
        return error.reason


def corners(image):
    right, bottom = image.width - 1, image.height - 1
    return [image.getpixel(place) for place in ((0, 0), (right, 0), (0, bottom), (right, bottom))]


def near(found, expected, by=12):
    pairs = [pair for one, other in zip(found, expected, strict=True) for pair in zip(one, other, strict=True)]
    return all(abs(a - b) <= by for a, b in pairs)


# What is read, and how.


@pytest.mark.parametrize("form", ["PNG", "JPEG", "WEBP", "GIF", "BMP"])
def test_each_format_is_read_as_rgb_with_its_size_and_colours(form):
    options = {"JPEG": {"quality": 95, "subsampling": 0}, "WEBP": {"lossless": True}}.get(form, {})

    image = decode_picture(saved(scene(), form, **options))

    assert (image.mode, image.size) == ("RGB", (40, 24))
    assert near(corners(image), [RED, GREEN, BLUE, WHITE])
    assert near([image.getpixel((20, 12))], [GREY])
    assert image.info == {}


def test_a_photo_with_a_second_picture_behind_it_is_read_as_the_first():
    image = decode_picture(saved(scene(), "MPO", save_all=True, append_images=[Image.new("RGB", (40, 24))], quality=95))

    assert near(corners(image), [RED, GREEN, BLUE, WHITE], by=40)


def test_palettes_and_grey_become_rgb():
    palette = scene().quantize(8)
    assert palette.mode == "P"

    assert near(corners(decode_picture(saved(palette))), [RED, GREEN, BLUE, WHITE])
    assert decode_picture(saved(Image.new("L", (20, 20), 77))).getpixel((3, 3)) == (77, 77, 77)
    assert decode_picture(saved(Image.new("1", (20, 20), 1))).getpixel((3, 3)) == WHITE


def test_cmyk_becomes_rgb():
    data = saved(Image.new("CMYK", (20, 20), (255, 0, 0, 0)), "JPEG", quality=95)  # cyan ink: no red light

    assert near([decode_picture(data).getpixel((3, 3))], [(0, 255, 255)])


def test_sixteen_bits_are_cut_to_their_upper_eight_instead_of_clipped():
    row = struct.pack(">20H", *(0x1234 if x < 10 else 0xFF00 for x in range(20)))
    grey = png(20, 20, (b"\0" + row) * 20, depth=16, colour=0)
    rgb = png(20, 20, (b"\0" + struct.pack(">HHH", 0x12FF, 0x8000, 0xFFFF) * 20) * 20, depth=16, colour=2)

    assert decode_picture(grey).getpixel((3, 3)) == (0x12, 0x12, 0x12)
    assert decode_picture(grey).getpixel((15, 3)) == (0xFF, 0xFF, 0xFF)
    assert decode_picture(rgb).getpixel((3, 3)) == (0x12, 0x80, 0xFF)


def test_transparent_parts_show_white():
    image = Image.new("RGBA", (20, 20), (255, 0, 0, 0))
    image.paste((0, 0, 255, 255), (0, 0, 10, 20))
    image.paste((0, 0, 0, 128), (10, 0, 12, 20))

    for form, options in (("PNG", {}), ("WEBP", {"lossless": True, "exact": True})):
        read = decode_picture(saved(image, form, **options))
        assert read.getpixel((3, 3)) == BLUE
        assert read.getpixel((15, 3)) == WHITE
        assert read.getpixel((11, 3)) == (127, 127, 127)


def test_transparent_colours_of_palettes_and_keys_show_white():
    palette = Image.new("P", (20, 20), 1)
    palette.putpalette([0, 0, 0, 255, 0, 0])

    assert decode_picture(saved(palette, transparency=1)).getpixel((3, 3)) == WHITE
    assert decode_picture(saved(palette, "GIF", transparency=1)).getpixel((3, 3)) == WHITE
    assert decode_picture(saved(Image.new("RGB", (20, 20), RED), transparency=RED)).getpixel((3, 3)) == WHITE
    assert decode_picture(saved(Image.new("L", (20, 20), 9), transparency=9)).getpixel((3, 3)) == WHITE
    assert decode_picture(saved(Image.new("LA", (20, 20), (9, 0)))).getpixel((3, 3)) == WHITE


UPRIGHT = {
    1: [RED, GREEN, BLUE, WHITE],
    2: [GREEN, RED, WHITE, BLUE],
    3: [WHITE, BLUE, GREEN, RED],
    4: [BLUE, WHITE, RED, GREEN],
    5: [RED, BLUE, GREEN, WHITE],
    6: [BLUE, RED, WHITE, GREEN],  # stored lying on its left side: top left comes from bottom left
    7: [WHITE, GREEN, BLUE, RED],
    8: [GREEN, WHITE, RED, BLUE],
}


@pytest.mark.parametrize("orientation", range(1, 9))
@pytest.mark.parametrize("form", ["PNG", "JPEG", "WEBP"])
def test_pictures_are_turned_upright(form, orientation):
    data = saved(scene(), form, exif=b"Exif\0\0" + exif(orientation), quality=95)

    image = decode_picture(data)

    assert image.size == ((24, 40) if orientation >= 5 else (40, 24))
    assert near(corners(image), UPRIGHT[orientation], by=60)


@pytest.mark.parametrize("block", [b"", b"II", exif(0), exif(9), exif(6)[:19], b"MM\0*\0\0\0\x08\xff\xff" + bytes(40)])
def test_an_exif_block_that_says_nothing_leaves_the_picture_as_it_is(block):
    image = decode_picture(with_segment(saved(scene(), "JPEG", quality=95), 0xE1, b"Exif\0\0" + block))

    assert image.size == (40, 24)


def test_exif_of_either_byte_order_is_read():
    big = b"MM\0*" + struct.pack(">IHHHIHHI", 8, 1, 0x0112, 3, 1, 6, 0, 0)

    assert decode_picture(with_chunk(saved(scene()), b"eXIf", big)).size == (24, 40)


# What is refused.


@pytest.mark.parametrize("name", BOMBS)
def test_bombs_are_refused(name):
    data, reason = BOMBS[name]

    assert len(data) < MAX_BYTES
    assert refused(data) == reason


def test_bombs_take_no_memory(tmp_path):
    for number, (data, _) in enumerate(BOMBS.values()):
        (tmp_path / f"{number:02d}").write_bytes(data)
    program = (
        "import pathlib, resource, sys\n"
        "from lifeloom.store.pictures import PictureRejected, decode_picture\n"
        "from tests.lifeloom.store.pictures_made import saved, scene\n"
        "for form in ('PNG', 'JPEG', 'WEBP', 'GIF', 'BMP'):\n"
        "    decode_picture(saved(scene(), form))\n"
        "for path in sorted(pathlib.Path(sys.argv[1]).iterdir()):\n"
        "    data = path.read_bytes()\n"
        "    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss\n"
        "    try:\n"
        "        decode_picture(data)\n"
        "    except PictureRejected:\n"
        "        print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before)\n"
    )
    done = subprocess.run([sys.executable, "-c", program, str(tmp_path)], capture_output=True, check=True)
    grown = dict(zip(BOMBS, map(int, done.stdout.split()), strict=True))
    assert not {name: kib for name, kib in grown.items() if kib > 32 * 1024}


@pytest.mark.parametrize(
    "data",
    [
        with_chunk(saved(scene()), b"iCCP", b"icc\0\0" + zlib.compress(bytes(50_000_000), 9)),
        with_chunk(saved(scene()), b"zTXt", b"Comment\0\0" + zlib.compress(bytes(50_000_000), 9)),
        with_chunk(saved(scene()), b"iTXt", b"Comment\0\1\0\0\0" + zlib.compress(bytes(50_000_000), 9)),
        saved(scene())[:33] + chunk(b"tEXt", b"Comment\0" + b"a" * 900_000) * 35 + saved(scene())[33:],
        with_chunk(saved(scene()), b"eXIf", greedy_exif(20_000, 5_000_000)),
    ],
    ids=["iCCP", "zTXt", "iTXt", "tEXt", "eXIf"],
)
def test_what_png_files_carry_beside_their_pixels_is_not_unpacked(data):
    assert picture_hash(decode_picture(data)) == picture_hash(scene())


def test_what_jpeg_files_carry_beside_their_pixels_is_not_looked_at():
    plain = saved(scene(), "JPEG", quality=95)
    data = plain
    for _ in range(60):
        data = with_segment(data, 0xE1, b"Exif\0\0" + greedy_exif(2_000, 40_000)[:65_000])
    data = with_segment(data, 0xE2, b"ICC_PROFILE\0\1\1" + bytes(60_000))

    assert picture_hash(decode_picture(data)) == picture_hash(decode_picture(plain))


@pytest.mark.parametrize("form", ["PNG", "JPEG", "WEBP", "GIF", "BMP"])
@pytest.mark.parametrize("share", [0.05, 0.3, 0.6, 0.9])
def test_truncated_files_are_refused(form, share):
    noise = Image.fromarray(np.random.default_rng(1).integers(0, 256, (64, 64, 3), dtype=np.uint8))
    data = saved(noise, form)

    assert refused(data[: int(len(data) * share)]) == "truncated"


def test_limits_that_the_process_set_for_pillow_do_not_matter(monkeypatch):
    monkeypatch.setattr(Image, "MAX_IMAGE_PIXELS", 10)
    image = decode_picture(saved(scene()))

    assert image.size == (40, 24)


@pytest.mark.parametrize("form", ["PNG", "GIF", "WEBP"])
def test_animations_are_refused(form):
    frames = [Image.new("RGB", (20, 20), colour) for colour in (RED, BLUE, GREEN)]

    assert refused(saved(frames[0], form, save_all=True, append_images=frames[1:], duration=100)) == "animated"
    assert refused(webp_header(20, 20, flags=2)) == "animated"
    assert refused(gif((16, 16), (16, 16), frames=100_000)) == "animated"


@pytest.mark.parametrize("size", [(1, 1), (15, 400), (400, 15)])
@pytest.mark.parametrize("form", ["PNG", "JPEG", "WEBP", "GIF", "BMP"])
def test_pictures_below_16_pixels_a_side_are_refused(form, size):
    assert refused(saved(Image.new("RGB", size), form)) == "too_small"
    assert decode_picture(saved(Image.new("RGB", (16, 16)), form)).size == (16, 16)


def test_what_is_no_picture_is_refused():
    assert refused(b"") == "truncated"
    for data in (b"<!doctype html><p>404", b"GIF99a" + bytes(40), b"RIFF\0\0\0\0WAVE" + bytes(40), b"%PDF-1.7", b"\0"):
        assert refused(data) == "unknown_format"
    assert refused(saved(scene(), "TIFF")) == "unknown_format"


def test_files_over_the_limit_are_refused_unread():
    assert refused(b"\x89PNG\r\n\x1a\n" + bytes(MAX_BYTES)) == "too_large"


def test_jpeg_of_twelve_bits_is_refused():
    data = bytearray(saved(scene(), "JPEG"))
    data[data.index(b"\xff\xc0") + 4] = 12

    assert refused(bytes(data)) == "unsupported_mode"


@pytest.mark.parametrize("kind", [b"IHDR", b"PLTE", b"tRNS", b"IDAT", b"IEND"])
def test_a_broken_checksum_is_refused(kind):
    data = saved(scene().quantize(8), transparency=1)
    start = data.index(kind)
    end = start + 4 + int.from_bytes(data[start - 4 : start], "big")
    assert decode_picture(data).size == (40, 24)

    assert refused(data[:end] + bytes([data[end] ^ 1]) + data[end + 1 :]) == "truncated"


@pytest.mark.parametrize("interlace", [0, 1])
def test_png_files_whose_packed_pixels_end_properly_but_lack_rows_are_refused(interlace):
    assert refused(png(64, 64, bytes(193 * 10), interlace=interlace)) == "truncated"
    assert refused(png(64, 64, bytes(193 * 64 - 1), interlace=interlace)) == "truncated"


@pytest.mark.parametrize(("depth", "colour"), [(1, 0), (2, 3), (4, 0), (8, 2), (8, 4), (16, 6)])
@pytest.mark.parametrize("size", [(16, 16), (17, 19), (31, 16)])
def test_png_files_with_just_all_of_their_pixels_are_read(size, depth, colour):
    width, height = size
    bits = depth * {0: 1, 2: 3, 3: 1, 4: 2, 6: 4}[colour]
    palette = chunk(b"PLTE", bytes(12)) if colour == 3 else b""

    def file(lacking, interlace):
        # Passes of an interlaced file (PNG, 8.2): columns and rows as they come up in its blocks of 8 x 8.
        grid = [(0, 0, 8, 8), (4, 0, 8, 8), (0, 4, 4, 8), (2, 0, 4, 4), (0, 2, 2, 4), (1, 0, 2, 2), (0, 1, 1, 2)]
        passes = [(len(range(x, width, dx)), len(range(y, height, dy))) for x, y, dx, dy in grid]
        total = sum(rows * (1 + (columns * bits + 7) // 8) for columns, rows in (passes if interlace else [size]))
        pixels = bytes(total - lacking)
        return png(width, height, pixels, depth=depth, colour=colour, before=palette, interlace=interlace)

    for interlace in (0, 1):
        assert decode_picture(file(0, interlace)).size == size
        assert refused(file(1, interlace)) == "truncated"


def test_png_files_in_many_pieces_of_pixels_are_read():
    data = saved(scene())
    start = data.index(b"IDAT") - 4
    packed = data[start + 8 : start + 8 + int.from_bytes(data[start : start + 4], "big")]
    pieces = b"".join(chunk(b"IDAT", packed[n : n + 1]) for n in range(len(packed)))

    assert picture_hash(decode_picture(data[:start] + pieces + chunk(b"IEND", b""))) == picture_hash(scene())


def test_png_parts_where_they_do_not_belong_are_refused():
    data = saved(scene().quantize(8))

    assert refused(data[:8] + chunk(b"teSt", b"") + data[8:]) == "truncated"
    assert refused(data[:33] + data[8:]) == "truncated"  # two headers
    assert refused(with_chunk(data, b"PLTE", bytes(6))) == "truncated"  # two palettes
    assert refused(with_chunk(saved(scene().quantize(8)), b"tRNS", bytes(257))) == "truncated"
    assert refused(data[:-12]) == "truncated"  # no end


def test_jpeg_markers_where_they_do_not_belong_are_refused():
    data = saved(scene(), "JPEG")
    start, frame = data.index(b"\xff\xda"), data.index(b"\xff\xc0")
    size = data[frame : frame + 19]

    assert refused(data[:start] + size + data[start:]) == "truncated"  # its size twice
    assert refused(data[:-2] + b"\xff\x02" + data[-2:]) == "truncated"
    assert refused(data[:-2]) == "truncated"
    assert refused(data[:frame] + data[frame + 19 :]) == "truncated"


def test_jpeg_files_with_restarts_passes_and_something_behind_them_are_read():
    plain = decode_picture(saved(scene(), "JPEG", quality=95))

    for data in (
        saved(scene(), "JPEG", quality=95, restart_marker_blocks=1),
        saved(scene(), "JPEG", quality=95, progressive=True),
        saved(scene(), "JPEG", quality=95) + b"\xff\x02" + bytes(100_000),
    ):
        assert near(corners(decode_picture(data)), corners(plain))


@pytest.mark.parametrize("size", [(6_001, 4_000), (4_000, 6_001)])
def test_pictures_over_24_million_pixels_are_refused(size):
    assert MAX_PIXELS == 24_000_000
    assert refused(saved(Image.new("1", size), "BMP")) == "too_many_pixels"


def test_pictures_of_just_24_million_pixels_are_read():
    assert decode_picture(saved(Image.new("1", (6_000, 4_000)), "BMP")).size == (6_000, 4_000)


STARTS = [
    saved(scene(), form, **options)
    for form in ("PNG", "JPEG", "WEBP", "GIF", "BMP")
    for options in ({}, {"exif": b"Exif\0\0" + exif(6)})
]


@settings(max_examples=300, deadline=None)
@given(st.binary(max_size=400))
@example(b"\x89PNG\r\n\x1a\n")
@example(b"\xff\xd8\xff")
@example(b"GIF89a")
@example(b"BM")
@example(b"RIFF\0\0\0\0WEBP")
def test_any_bytes_are_read_or_refused(data):
    for start in (b"", b"\x89PNG\r\n\x1a\n", b"\xff\xd8", b"GIF89a", b"BM", b"RIFF\xff\0\0\0WEBPVP8X", b"RIFF....WEBP"):
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            assert outcome(start + data) in ("RGB", *REASONS)


@settings(max_examples=300, deadline=None)
@given(st.sampled_from(STARTS), st.data())
def test_pictures_with_changed_bytes_are_read_or_refused(start, draw):
    data = bytearray(start)
    for place in draw.draw(st.lists(st.integers(0, len(data) - 1), max_size=8)):
        data[place] = draw.draw(st.integers(0, 255))
    cut = draw.draw(st.integers(0, len(data)))
    assert outcome(bytes(data[:cut] if draw.draw(st.booleans()) else data)) in ("RGB", *REASONS)


def test_pillow_is_left_as_it_was():
    before = (Image.MAX_IMAGE_PIXELS, ImageFile.LOAD_TRUNCATED_IMAGES, list(warnings.filters))
    decode_picture(saved(scene()))
    for data, _ in BOMBS.values():
        refused(data)

    assert before == (Image.MAX_IMAGE_PIXELS, ImageFile.LOAD_TRUNCATED_IMAGES, list(warnings.filters))


# Hashes and writing.


@settings(max_examples=50, deadline=None)
@given(st.integers(16, 40), st.integers(16, 40), st.integers(0, 2**32 - 1))
def test_what_is_encoded_decodes_to_the_same_pixels(width, height, seed):
    pixels = np.random.default_rng(seed).integers(0, 256, (height, width, 3), dtype=np.uint8)

    image = decode_picture(encode_png(Image.fromarray(pixels)))

    assert np.array_equal(np.asarray(image), pixels)


def test_encoding_depends_on_the_pixels_alone():
    annotated = Image.open(io.BytesIO(saved(scene(), icc_profile=b"profile", exif=exif(6), transparency=(1, 2, 3))))

    assert encode_png(annotated) == encode_png(scene())


def test_pictures_of_equal_pixels_have_equal_hashes_whatever_their_files():
    expected = hashlib.sha256(b"40x24\n" + scene().tobytes()).hexdigest()

    assert picture_hash(scene()) == expected
    assert picture_hash(scene().convert("RGBA")) == expected
    for data in (saved(scene()), saved(scene(), "BMP"), saved(scene(), "WEBP", lossless=True)):
        assert picture_hash(decode_picture(data)) == expected
    assert picture_hash(scene(24, 40)) != expected
    assert picture_hash(Image.new("RGB", (20, 40))) != picture_hash(Image.new("RGB", (40, 20)))


# Files by name.


def refused_file(name, root):
    with pytest.raises(PictureRejected) as caught:
        read_picture_file(name, root)
    return caught.value.reason


@pytest.fixture
def folder(tmp_path):
    root = tmp_path / "root"
    (root / "inner").mkdir(parents=True)
    (root / "inner" / "scene.png").write_bytes(saved(scene()))
    (tmp_path / "outside.png").write_bytes(saved(scene()))
    return root


def test_files_are_read_by_their_relative_name(folder):
    assert read_picture_file("inner/scene.png", folder) == saved(scene())
    assert read_picture_file("./inner/scene.png", folder) == saved(scene())
    (folder / "photo of Zoë.JPeG").write_bytes(saved(scene(), "JPEG"))
    assert read_picture_file("photo of Zoë.JPeG", str(folder)) == saved(scene(), "JPEG")


def test_a_name_without_an_extension_is_taken_only_where_that_is_asked_for(folder):
    (folder / "3f2a").write_bytes(saved(scene()))
    (folder / "notes").write_text("no picture at all")
    assert refused_file("3f2a", folder) == "unknown_format"
    assert read_picture_file("3f2a", folder, extension_needed=False) == saved(scene())
    (folder / "photo.raw").write_bytes(saved(scene()))
    for name in ("notes", "photo.raw"):
        with pytest.raises(PictureRejected) as caught:
            read_picture_file(name, folder, extension_needed=False)
        assert caught.value.reason == "unknown_format"


@pytest.mark.parametrize(
    "name",
    [
        "../outside.png",
        "inner/../../outside.png",
        "inner/../inner/scene.png",
        "..",
        "..\\outside.png",
        "/etc/passwd",
        "C:\\scene.png",
        "c:scene.png",
        "\\\\server\\scene.png",
        "//server/scene.png",
    ],
)
def test_names_that_lead_outside_are_refused(folder, name):
    assert refused_file(name, folder) == "outside_folder"


@pytest.mark.parametrize(
    "name",
    [
        "",
        ".",
        "inner/",
        "inner//scene.png",
        "scene.png\0.jpg",
        "a\nb.png",
        "a\u202egnp.exe.png",
        "inner\\scene.png",
        "CON",
        "con.png",
        "NUL.png",
        "inner/aux.tar.png",
        "Com1.png",
        "LPT¹.png",
        "nul/scene.png",
        "scene.png.",
        "scene.png ",
        " scene.png",
        "inner /scene.png",
        "inner./scene.png",
        "ab:c.png",
        "what?.png",
        "a\ud800.png",
        "a" * 300 + ".png",
        "é" * 150 + ".png",
        "a/" * 2500 + "0000.png",
        "é/" * 342 + ".png",
    ],
)
def test_names_that_not_every_system_can_hold_are_refused(folder, name):
    assert refused_file(name, folder) == "bad_name"


def test_names_that_only_look_reserved_are_taken(folder):
    for name in ("console.png", "nullable.png", "com10.png", ".hidden.png"):
        (folder / name).write_bytes(saved(scene()))
        assert read_picture_file(name, folder)


def test_files_and_folders_behind_symbolic_links_are_refused(folder):
    (folder / "link.png").symlink_to(folder / "inner" / "scene.png")
    (folder / "linked").symlink_to(folder / "inner")
    (folder / "broken.png").symlink_to(folder / "nowhere.png")

    assert refused_file("link.png", folder) == "symbolic_link"
    assert refused_file("linked/scene.png", folder) == "symbolic_link"
    assert refused_file("broken.png", folder) == "symbolic_link"


def test_the_folder_itself_may_be_reached_through_a_link(folder, tmp_path):
    (tmp_path / "data").symlink_to(folder)

    assert read_picture_file("inner/scene.png", tmp_path / "data") == saved(scene())


def test_missing_files_are_refused(folder):
    assert refused_file("scene.png", folder) == "missing"
    assert refused_file("none/scene.png", folder) == "missing"
    assert refused_file("inner/scene.png/scene.png", folder) == "missing"
    assert refused_file("scene.png", folder / "none") == "missing"


def test_names_that_are_too_long_together_with_their_folder_are_refused(tmp_path):
    deep = tmp_path
    while len(str(deep)) < 3_500:
        deep = deep / ("d" * 200)
        deep.mkdir()

    assert refused_file("a/" * 400 + "0000.png", deep) == "missing"
    assert refused_file("a/" * 500 + "0000.png", deep) == "missing"
    assert refused_file("0000.png", "d" * 300) == "bad_name"


@pytest.mark.skipif(os.geteuid() == 0, reason="root may read everything")
def test_files_that_may_not_be_read_are_refused(folder):
    (folder / "inner" / "scene.png").chmod(0)

    assert refused_file("inner/scene.png", folder) == "missing"


def test_what_is_no_file_is_refused_without_waiting(folder):
    os.mkfifo(folder / "pipe.png")
    (folder / "folder.png").mkdir()

    assert refused_file("pipe.png", folder) == "missing"
    assert refused_file("folder.png", folder) == "missing"


def test_files_whose_content_is_not_what_their_name_says_are_refused(folder):
    (folder / "jpeg.png").write_bytes(saved(scene(), "JPEG"))
    (folder / "page.png").write_bytes(b"<!doctype html><p>404")
    (folder / "png.jpg").write_bytes(saved(scene()))
    (folder / "notes.txt").write_bytes(saved(scene()))
    (folder / "empty.png").write_bytes(b"")

    assert refused_file("jpeg.png", folder) == "wrong_extension"
    assert refused_file("page.png", folder) == "wrong_extension"
    assert refused_file("png.jpg", folder) == "wrong_extension"
    assert refused_file("notes.txt", folder) == "unknown_format"
    assert refused_file("empty.png", folder) == "truncated"


def test_huge_files_are_refused_unread(folder):
    with (folder / "huge.png").open("wb") as file:
        file.truncate(MAX_BYTES + 1)

    assert refused_file("huge.png", folder) == "too_large"


@settings(max_examples=300, deadline=None)
@given(st.text(max_size=40))
def test_any_name_is_refused_where_there_is_no_file(tmp_path_factory, name):
    assert refused_file(name, tmp_path_factory.getbasetemp() / "nothing") in REASONS


def test_a_picture_deleted_after_its_record_was_written_is_told_by_type(tmp_path):
    store = DatasetStore(tmp_path)
    content = store.media.put(saved(scene()))
    next(path for path in (tmp_path / "media").rglob(content)).unlink()

    with pytest.raises(MediaMissing, match=content):
        store.media.get(content)


def test_refusals_are_store_errors_that_travel_between_processes():
    error = pickle.loads(pickle.dumps(PictureRejected("animated", "two frames")))

    assert isinstance(error, StoreError)
    assert (error.reason, error.detail) == ("animated", "two frames")
    assert str(error) == "the picture was rejected (animated): two frames"
