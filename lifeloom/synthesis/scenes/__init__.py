"""Query pictures: scenarios with one to four concepts of the library, drawn and filtered (CoViP Section 3.2.1)."""

from lifeloom.synthesis.scenes.drawing import DrawnScene, SceneIllustrator
from lifeloom.synthesis.scenes.filtering import FilteredScenes, SceneFilter, keep_scenes
from lifeloom.synthesis.scenes.planning import LibraryUnfit, SceneOrder, plan_scenes

__all__ = [
    "DrawnScene",
    "FilteredScenes",
    "LibraryUnfit",
    "SceneFilter",
    "SceneIllustrator",
    "SceneOrder",
    "keep_scenes",
    "plan_scenes",
]
