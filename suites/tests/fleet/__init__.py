"""Tests of fleets on a real Ray cluster and a real Redis: `make test-fleet` installs what they need, apart."""
