"""docs/python-example.md is run as it stands, in a folder of its own. GRAZE_SOURCE names the sources of graze."""

import doctest
import os
import tempfile
import unittest
from pathlib import Path

SOURCE = Path(os.environ["GRAZE_SOURCE"])


class Page(unittest.TestCase):
    def test_every_answer_and_picture(self):
        with tempfile.TemporaryDirectory() as folder:
            for name in ("package.xml", "urdf", "meshes", "worlds"):
                os.symlink(SOURCE / name, f"{folder}/{name}")
            os.makedirs(f"{folder}/docs/pictures")
            before = os.getcwd()
            self.addCleanup(os.chdir, before)
            os.chdir(folder)
            text = (SOURCE / "docs/python-example.md").read_text().replace("\n```", "\n\n")
            test = doctest.DocTestParser().get_doctest(text, {}, "docs/python-example.md", None, 0)
            result = doctest.DocTestRunner().run(test)
            self.assertEqual(result.failed, 0)
            self.assertGreater(result.attempted, 20)
            drawn = sorted(Path(folder, "docs/pictures").iterdir())
            self.assertEqual([p.name for p in drawn], ["python-collision.png", "python-goal.png"])
            for picture in drawn:
                self.assertEqual(picture.read_bytes(), (SOURCE / "docs/pictures" / picture.name).read_bytes(), picture.name)


if __name__ == "__main__":
    unittest.main()
