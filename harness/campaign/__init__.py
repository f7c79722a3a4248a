"""Campaigns: the search over many operators, implementations and devices, within a budget of time."""

from eagerdiff.harness.campaign.campaign import Campaign
from eagerdiff.harness.campaign.progress import Progress

__all__ = ["Campaign", "Progress"]
