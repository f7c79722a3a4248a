"""Campaigns: the search over many operators, implementations and devices, within a budget of time."""

from harness.campaign.campaign import Campaign
from harness.campaign.progress import Progress

__all__ = ["Campaign", "Progress"]
