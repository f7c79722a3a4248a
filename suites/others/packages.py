"""The packages of others: an environment in the cache folder that has them beside all that is here."""

from pathlib import Path

from eagerdiff import Environment

OTHERS = Environment("others", Path(__file__).with_name("requirements.txt"), "make others")
