"""Chapter 4.2.4.2: charges and engagements, from the announcement to the first blows."""
