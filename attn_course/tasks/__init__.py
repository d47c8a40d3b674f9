"""Tasks: data whose exact alignment is known, because the generator knows what made what.

vocabulary       characters, or pieces of text, to numbers and back
corpus           pairs as numbers, in batches of one length
reversal         random letters to copy or to write backwards
numbers          number names, from English to German and French
names            names of currencies and places, from English to French
typos            words with one typing mistake, and how well they can be mended
date_patterns    how a locale writes a day: the patterns of CLDR, part by part
date_characters  what a keyboard has in place of CLDR's characters
date_noise       how people write a day instead
dates            pairs of a written date and its ISO form, with gold alignment
date_order       long dates, from English to Hungarian
date_ceiling     how well the best possible reader can do
"""
