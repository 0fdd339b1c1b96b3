"""Browser tests: Home Assistant's own frontend in Chromium."""
