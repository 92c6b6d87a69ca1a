"""python -m retake info session.retake"""

import sys

from .reader import main

sys.exit(main())
