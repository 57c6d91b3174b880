"""The toolboxes that come with Fuselab: found, loaded and left out as those of others are."""
