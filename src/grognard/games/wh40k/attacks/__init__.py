"""Chapter 7: making attacks: allocation, saves, casualties, Hazardous weapons."""
