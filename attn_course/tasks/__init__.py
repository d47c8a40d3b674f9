"""Tasks: data whose exact alignment is known, because the generator knows what each part came from.

vocabulary       characters or pieces of text to numbers and back
corpus           pairs as numbers, in batches of one length
reversal         random letters to copy or to reverse
recall           pairs that arrive one by one, and are asked for later
pieced           pairs of texts that are written as pieces, separated by spaces
numbers          number names, from English to German and French
names            names of currencies and places, from English to French
typos            words with one typing mistake, and how well they can be mended
digits           handwritten digits among clutter, on a canvas of any size, with exact boxes
date_patterns    how a locale writes a day: the patterns of CLDR, part by part
date_noise       how people actually write a day: habits, and forms that CLDR does not have
dates            pairs of a written date and its ISO form, with gold alignment
date_order       long dates, from English to Hungarian
date_ceiling     how well the best possible reader can do
"""
