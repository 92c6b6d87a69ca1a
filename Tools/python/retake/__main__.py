"""python3 -m retake info session.retake"""

import sys

from .reader import main

sys.exit(main("python3 -m retake"))
