"""The columns of a class list from Moodle, in whatever language it was written.

Moodle writes its headers in the teacher's language, and wants them back as they are. So a column is
recognised by what its cells hold, by its place, or by one of the words that translations of Moodle
use. E-mail addresses and the numbers of participants need no word in any language.
"""

import re
from collections.abc import Mapping, Sequence
from typing import NamedTuple

from attn_class.grading.names import plain

_FIRST = """
first name|given name|vorname|prénom|nombre|nome|voornaam|imię|nome próprio|förnamn|fornavn
etunimi|křestní jméno|jméno|krstné meno|meno|keresztnév|utónév|prenume|ad|adı|имя|ім'я|име
собствено име|ime|eesnimi|vārds|vardas|όνομα|nom|izena|名|名字|이름|الاسم الأول|الاسم|שם פרטי
نام|tên|ชื่อ|nama depan
"""
_LAST = """
last name|surname|family name|nachname|familienname|nom|nom de famille|apellido|apellidos
apellido(s)|cognome|achternaam|nazwisko|sobrenome|apelido|apelidos|último nome|efternamn
efternavn|etternavn|sukunimi|příjmení|priezvisko|vezetéknév|családi név|nume|nume de familie
soyad|soyadı|фамилия|прізвище|презиме|фамилно име|prezime|priimek|perekonnanimi|uzvārds|pavardė
επώνυμο|cognoms|deitura|deiturak|姓|姓氏|성|اسم العائلة|الاسم الأخير|שם משפחה|نام خانوادگی|họ
นามสกุล|nama akhir|nama keluarga|nama belakang
"""
_FULL = """
full name|name|vollständiger name|nom complet|nom / prénom|prénom / nom|nombre completo
nombre / apellido(s)|nome completo|volledige naam|imię i nazwisko|pełna nazwa|fullständigt namn
fulde navn|fullt navn|koko nimi|celé jméno|teljes név|tam adı|tam ad|полное имя|повне ім'я
nume complet|πλήρες όνομα|ime in priimek|ime i prezime|フルネーム|氏名|全名|姓名|전체 이름
الاسم الكامل|שם מלא|first name / last name|first name / surname|vorname / nachname
"""
_NUMBER = """
id number|student id|id-nummer|idnummer|id nummer|matrikelnummer|numéro d'identification
numéro d’identification|número de id|número id|número de identificación|codice identificativo
numero id|numero identificativo|numer id|número de identificação|número de identificacao
id-numero|tunnistenumero|identifikační číslo|id číslo|osobní číslo|azonosító szám|azonosítószám
număr de identificare|kimlik numarası|id numarası|индивидуальный номер|идентификационный номер
id номер|ідентифікаційний номер|αριθμός id|número d'identificació|id ナンバー|idナンバー|id 号
学号|學號|id号|编号|id 번호|학번|رقم التعريف|الرقم التعريفي|מספר זהות|mã số id|nomor id
"""
_EMAIL = "email address|e-mail address|email|e-mail"
_GROUPS = """
groups|group|gruppen|gruppe|groupes|groupe|grupos|grupo|gruppi|gruppo|groepen|groep|grupy|grupa
grupper|grupp|ryhmät|ryhmä|skupiny|skupina|csoportok|csoport|grupuri|gruplar|grup|grups|группы
группа|групи|група|grupe|ομάδες|グループ|小组|群組|그룹|المجموعات|קבוצות|nhóm
"""
_GRADE = """
grade|bewertung|note|calificación|valutazione|cijfer|beoordeling|ocena|nota|avaliação|betyg
karakter|vurdering|arvosana|hodnocení|známka|osztályzat|pont|notă|not|оценка|оцінка|βαθμός
qualificació|kalifikazioa|評点|評価|成绩|成績|評分|성적|الدرجة|ציון|điểm
"""
_ADDRESS = re.compile(r"[^@\s]+@[^@\s]+")
_NUMBERED = re.compile(r"(?P<word>[^\d@]*[^\W\d_][^\d@]*?)\s*(?P<number>\d+)")


class Columns(NamedTuple):
    """The headers of the columns that matter; "" for what the list does not have."""

    identifier: str = ""
    first: str = ""
    last: str = ""
    full: str = ""
    number: str = ""
    email: str = ""
    groups: str = ""
    grade: str = ""


def columns_of(head: Sequence[str], rows: Sequence[Mapping[str, str]]) -> Columns:
    """Which column of a list from Moodle is which."""
    head = [name for name in dict.fromkeys(head) if name]
    if any(map(_ADDRESS.fullmatch, head)):
        return Columns()  # no table: a list of addresses
    first, last = _named(head, _FIRST), _named(head, _LAST)
    if first == last:  # the French "nom" is a surname, the Catalan one a first name
        others = [name for name in head if name != first]
        first, last = _named(others, _FIRST), last
        if not first and _named(others, _LAST):
            first, last = last, _named(others, _LAST)
    identifier = head[0] if head and _identifies(head[0], rows) and head[0] != first else ""
    addresses = [name for name in head if _all(_ADDRESS, name, rows)]
    email = _named(addresses, _EMAIL) or (addresses or [_named(head, _EMAIL)])[0]
    full = _named([name for name in head if name not in (first, last)], _FULL)
    if not (first or last or full):
        first, last, full = _by_place(head, rows, identifier, email)
    number = _named([name for name in head if name != identifier], _NUMBER)
    groups, grade = _named(head, _GROUPS), _named(head, _GRADE)
    return Columns(identifier, first, last, full, number, email, groups, grade)


def participant(identifier: str) -> tuple[str, str]:
    """The word and the number of what Moodle calls a student in a grading worksheet."""
    found = _NUMBERED.fullmatch(identifier.strip())
    return (found["word"].strip(), found["number"]) if found else ("", "")


def _identifies(name: str, rows: Sequence[Mapping[str, str]]) -> bool:
    """Whether all cells are one word with different numbers, such as "Participant 17"."""
    found = [participant(row[name]) for row in rows]
    letters = {sum(map(str.isalpha, word)) for word, _ in found}
    alike = len({word for word, _ in found}) == 1 == len(letters)
    return alike and min(letters) > 2 and len({number for _, number in found}) == len(found)


def _by_place(
    head: Sequence[str], rows: Sequence[Mapping[str, str]], identifier: str, email: str
) -> tuple[str, str, str]:
    """First, last and full name where no header is known: text that stands before the address."""
    before = head[: head.index(email)] if email else []
    texts = [name for name in before if name != identifier and _is_text(name, rows)]
    if identifier or len(texts) == 1:
        return "", "", next(iter(texts), "")
    return (texts[0], texts[1], "") if texts else ("", "", "")


def _is_text(name: str, rows: Sequence[Mapping[str, str]]) -> bool:
    cells = [row[name] for row in rows if row[name].strip()]
    return bool(cells) and all(
        any(map(str.isalpha, cell)) and not any(map(str.isdigit, cell)) for cell in cells
    )


def _all(pattern: re.Pattern, name: str, rows: Sequence[Mapping[str, str]]) -> bool:
    cells = [row[name].strip() for row in rows if row[name].strip()]
    return bool(cells) and all(map(pattern.fullmatch, cells))


def _named(head: Sequence[str], words: str) -> str:
    known = {plain(each) for each in re.split(r"[|\n]", words) if each}
    return next((name for name in head if plain(name) in known), "")
