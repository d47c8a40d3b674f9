"""What a Colab kernel has done before the first cell: imported ``google.colab``.

This stand-in records each call of ``enable_custom_widget_manager``, which is all that anywidget
needs of the real one. The environment variable ``COLAB_CALLS`` names the file.
"""

import os
import sys
import types


def enable_custom_widget_manager() -> None:
    with open(os.environ["COLAB_CALLS"], "a", encoding="utf-8") as file:
        file.write("enable_custom_widget_manager\n")


def stand_in() -> None:
    google, colab, output = (types.ModuleType(name) for name in ("google", "colab", "output"))
    google.colab, colab.output = colab, output
    output.enable_custom_widget_manager = enable_custom_widget_manager
    sys.modules.update({"google": google, "google.colab": colab, "google.colab.output": output})


if "COLAB_CALLS" in os.environ:
    stand_in()
