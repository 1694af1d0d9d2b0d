"""Chapter 7: blows, casualties, challenges, results, push-backs and following up."""
