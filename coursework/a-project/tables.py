CORPUS = """svet	свет
Afrika	Африка
Južna Amerika	Јужна Америка
Okeanija	Океанија
Zapadna Afrika	Западна Африка
Centralna Amerika	Централна Америка
Istočna Afrika	Источна Африка
Severna Afrika	Северна Африка
Centralna Afrika	Централна Африка
Južna Afrika	Јужна Африка
Severna i Južna Amerika	Северна и Јужна Америка
Severna Amerika	Северна Америка
Karibi	Кариби
Istočna Azija	Источна Азија
Južna Azija	Јужна Азија
Jugoistočna Azija	Југоисточна Азија
Južna Evropa	Јужна Европа
Australija i Novi Zeland	Аустралија и Нови Зеланд
Melanezija	Меланезија
Mikronezijski region	Микронезијски регион
Polinezija	Полинезија
Azija	Азија
Centralna Azija	Централна Азија
Zapadna Azija	Западна Азија
Evropa	Европа
Istočna Evropa	Источна Европа
Severna Evropa	Северна Европа
Zapadna Evropa	Западна Европа
Podsaharska Afrika	Подсахарска Африка
Latinska Amerika	Латинска Америка
Ostrvo Asension	Острво Асенсион
Andora	Андора
Avganistan	Авганистан
Antigva i Barbuda	Антигва и Барбуда
Angvila	Ангвила
Albanija	Албанија
Jermenija	Јерменија
Angola	Ангола
Antarktik	Антарктик
Argentina	Аргентина
Američka Samoa	Америчка Самоа
Austrija	Аустрија
Australija	Аустралија
Aruba	Аруба
Olandska Ostrva	Оландска Острва
Azerbejdžan	Азербејџан
Bosna i Hercegovina	Босна и Херцеговина
Barbados	Барбадос
Bangladeš	Бангладеш
Belgija	Белгија
Burkina Faso	Буркина Фасо
Bugarska	Бугарска
Bahrein	Бахреин
Burundi	Бурунди
Benin	Бенин
Sveti Bartolomej	Свети Бартоломеј
Bermudi	Бермуди
Brunej	Брунеј
Bolivija	Боливија
Karipska Holandija	Карипска Холандија
Brazil	Бразил
Bahami	Бахами
Butan	Бутан
Ostrvo Buve	Острво Буве
Bocvana	Боцвана
Belorusija	Белорусија
Belize	Белизе
Kanada	Канада
Kongo - Kinšasa	Конго - Киншаса
Kongo - Brazavil	Конго - Бразавил
Švajcarska	Швајцарска
Kukova Ostrva	Кукова Острва
Čile	Чиле
Kamerun	Камерун
Kina	Кина
Kolumbija	Колумбија
Ostrvo Kliperton	Острво Клипертон
Kostarika	Костарика
Kuba	Куба
Zelenortska Ostrva	Зеленортска Острва
Kurasao	Курасао
Božićno Ostrvo	Божићно Острво
Kipar	Кипар
Češka	Чешка
Nemačka	Немачка
Dijego Garsija	Дијего Гарсија
Džibuti	Џибути
Danska	Данска
Dominika	Доминика
Dominikanska Republika	Доминиканска Република
Alžir	Алжир
Seuta i Melilja	Сеута и Мелиља
Ekvador	Еквадор
Estonija	Естонија
Egipat	Египат
Zapadna Sahara	Западна Сахара
Eritreja	Еритреја
Španija	Шпанија
Etiopija	Етиопија
Evropska unija	Европска унија
Evrozona	Еврозона
Finska	Финска
Fidži	Фиџи
Foklandska Ostrva	Фокландска Острва
Mikronezija	Микронезија
Farska Ostrva	Фарска Острва
Francuska	Француска
Gabon	Габон
Ujedinjeno Kraljevstvo	Уједињено Краљевство
Grenada	Гренада
Gruzija	Грузија
Francuska Gvajana	Француска Гвајана
Gernzi	Гернзи
Gana	Гана
Gibraltar	Гибралтар
Grenland	Гренланд
Gambija	Гамбија
Gvineja	Гвинеја
Gvadelup	Гваделуп
Ekvatorijalna Gvineja	Екваторијална Гвинеја
Grčka	Грчка
Gvatemala	Гватемала
Guam	Гуам
Gvineja-Bisao	Гвинеја-Бисао
Gvajana	Гвајана
SAR Hongkong (Kina)	САР Хонгконг (Кина)
Honduras	Хондурас
Hrvatska	Хрватска
Haiti	Хаити
Mađarska	Мађарска
Kanarska Ostrva	Канарска Острва
Indonezija	Индонезија
Irska	Ирска
Izrael	Израел
Ostrvo Man	Острво Ман
Indija	Индија
Irak	Ирак
Iran	Иран
Island	Исланд
Italija	Италија
Džerzi	Џерзи
Jamajka	Јамајка
Jordan	Јордан
Japan	Јапан
Kenija	Кенија
Kirgistan	Киргистан
Kambodža	Камбоџа
Kiribati	Кирибати
Komorska Ostrva	Коморска Острва
Sent Kits i Nevis	Сент Китс и Невис
Severna Koreja	Северна Кореја
Južna Koreja	Јужна Кореја
Kuvajt	Кувајт
Kajmanska Ostrva	Кајманска Острва
Kazahstan	Казахстан
Laos	Лаос
Liban	Либан
Sveta Lucija	Света Луција
Lihtenštajn	Лихтенштајн
Šri Lanka	Шри Ланка
Liberija	Либерија
Lesoto	Лесото
Litvanija	Литванија
Luksemburg	Луксембург
Letonija	Летонија
Libija	Либија
Maroko	Мароко
Monako	Монако
Moldavija	Молдавија
Crna Gora	Црна Гора
Sveti Martin (Francuska)	Свети Мартин (Француска)
Madagaskar	Мадагаскар
Maršalska Ostrva	Маршалска Острва
Severna Makedonija	Северна Македонија
Mali	Мали
Mijanmar (Burma)	Мијанмар (Бурма)
Mongolija	Монголија
SAR Makao (Kina)	САР Макао (Кина)
Martinik	Мартиник
Mauritanija	Мауританија
Monserat	Монсерат
Malta	Малта
Mauricijus	Маурицијус
Maldivi	Малдиви
Malavi	Малави
Meksiko	Мексико
Malezija	Малезија
Mozambik	Мозамбик
Namibija	Намибија
Nova Kaledonija	Нова Каледонија
Niger	Нигер
Ostrvo Norfok	Острво Норфок
Nigerija	Нигерија
Nikaragva	Никарагва
Holandija	Холандија
Norveška	Норвешка
Nepal	Непал
Nauru	Науру
Niue	Ниуе
Novi Zeland	Нови Зеланд
Oman	Оман
Panama	Панама
Peru	Перу
Francuska Polinezija	Француска Полинезија
Papua Nova Gvineja	Папуа Нова Гвинеја
Filipini	Филипини
Pakistan	Пакистан
Poljska	Пољска
Sen Pjer i Mikelon	Сен Пјер и Микелон
Pitkern	Питкерн
Portoriko	Порторико
Palestinske teritorije	Палестинске територије
Portugalija	Португалија
Palau	Палау
Paragvaj	Парагвај
Katar	Катар
udaljena ostrva Okeanije	удаљена острва Океаније
Reinion	Реинион
Rumunija	Румунија
Srbija	Србија
Rusija	Русија
Ruanda	Руанда
Saudijska Arabija	Саудијска Арабија
Solomonska Ostrva	Соломонска Острва
Sejšeli	Сејшели
Sudan	Судан
Švedska	Шведска
Singapur	Сингапур
Sveta Jelena	Света Јелена
Slovenija	Словенија
Svalbard i Jan Majen	Свалбард и Јан Мајен
Slovačka	Словачка
Sijera Leone	Сијера Леоне
San Marino	Сан Марино
Senegal	Сенегал
Somalija	Сомалија
Surinam	Суринам
Južni Sudan	Јужни Судан
Sao Tome i Principe	Сао Томе и Принципе
Salvador	Салвадор
Sveti Martin (Holandija)	Свети Мартин (Холандија)
Sirija	Сирија
Svazilend	Свазиленд
Tristan da Kunja	Тристан да Куња
Ostrva Turks i Kaikos	Острва Туркс и Каикос
Čad	Чад
Togo	Того
Tajland	Тајланд
Tadžikistan	Таџикистан
Tokelau	Токелау
Turkmenistan	Туркменистан
Tunis	Тунис
Tonga	Тонга
Turska	Турска
Trinidad i Tobago	Тринидад и Тобаго
Tuvalu	Тувалу
Tajvan	Тајван
Tanzanija	Танзанија
Ukrajina	Украјина
Uganda	Уганда
Udaljena ostrva SAD	Удаљена острва САД
Ujedinjene nacije	Уједињене нације
Sjedinjene Države	Сједињене Државе
Urugvaj	Уругвај
Uzbekistan	Узбекистан
Vatikan	Ватикан
Sent Vinsent i Grenadini	Сент Винсент и Гренадини
Venecuela	Венецуела
Vijetnam	Вијетнам
Vanuatu	Вануату
Valis i Futuna	Валис и Футуна
Samoa	Самоа
simulirane dijakritike	симулиране дијакритике
Pseudobidi	Псеудобиди
Kosovo	Косово
Jemen	Јемен
Majot	Мајот
Južnoafrička Republika	Јужноафричка Република
Zambija	Замбија
Zimbabve	Зимбабве
nepoznat region	непознат регион
afarski	афарски
abhaski	абхаски
aceški	ацешки
akoli	аколи
adangme	адангме
adigejski	адигејски
avestanski	авестански
afrikans	африканс
afrihili	африхили
agem	агем
ainu	аину
akanski	акански
akadijski	акадијски
aleutski	алеутски
južnoaltajski	јужноалтајски
amharski	амхарски
aragonski	арагонски
staroengleski	староенглески
obolo	оболо
angika	ангика
arapski	арапски
aramejski	арамејски
mapuče	мапуче
arapaho	арапахо
najdiarapski	најдиарапски
aravački	аравачки
asamski	асамски
asu	асу
asturijski	астуријски
atikameku	атикамеку
avarski	аварски
avadi	авади
ajmara	ајмара
azerbejdžanski	азербејџански
baškirski	башкирски
belučki	белучки
balijski	балијски
basa	баса
beloruski	белоруски
bedža	беџа
bemba	бемба
betavi	бетави
bena	бена
bugarski	бугарски
harijanski	харијански
zapadni belučki	западни белучки
bodžpuri	боџпури
bislama	бислама
bikol	бикол
bini	бини
sisika	сисика
anii	ании
bambara	бамбара
bengalski	бенгалски
tibetanski	тибетански
bretonski	бретонски
braj	брај
bodo	бодо
bosanski	босански
akose	акосе
burjatski	бурјатски
bugijski	бугијски
blinski	блински
katalonski	каталонски
kado	кадо
karipski	карипски
kajuga	кајуга
atsam	атсам
čakma	чакма
čečenski	чеченски
sebuanski	себуански
čiga	чига
čamoro	чаморо
čipča	чипча
čagataj	чагатај
čučki	чучки
mari	мари
činučki	чинучки
čoktavski	чоктавски
čipevjanski	чипевјански
čeroki	чероки
čejenski	чејенски
čikaso	чикасо
centralni kurdski	централни курдски
čilkotin	чилкотин
korzikanski	корзикански
koptski	коптски
kri	кри
mičif	мичиф
krimskotatarski	кримскотатарски
jugoistočni kri	југоисточни кри
plainskri	плаинскри
severoistočni kri	североисточни кри
muzkri	музкри
karolinški algonkvijan	каролиншки алгонквијан
češki	чешки
kašupski	кашупски
močvarni kri	мочварни кри
crkvenoslovenski	црквенословенски
čuvaški	чувашки
velški	велшки
danski	дански
dakota	дакота
darginski	даргински
taita	таита
nemački	немачки
austrijski nemački	аустријски немачки
delaverski	делаверски
slejvi	слејви
dogripski	догрипски
dinka	динка
zarma	зарма
dogri	догри
donjolužičkosrpski	доњолужичкосрпски
duala	дуала
srednjeholandski	средњехоландски
maldivski	малдивски
džola fonji	џола фоњи
đula	ђула
džonga	џонга
dazaga	дазага
embu	ембу
eve	еве
efički	ефички
staroegipatski	староегипатски
ekadžuk	екаџук
grčki	грчки
elamitski	еламитски
engleski	енглески
srednjeengleski	средњеенглески
esperanto	есперанто
španski	шпански
španski (Evropa)	шпански (Европа)
estonski	естонски
baskijski	баскијски
evondo	евондо
persijski	персијски
dari	дари
fang	фанг
fanti	фанти
fula	фула
finski	фински
filipinski	филипински
fidžijski	фиџијски
farski	фарски
fon	фон
francuski	француски
kajunski francuski	кајунски француски
srednjefrancuski	средњефранцуски
starofrancuski	старофранцуски
severnofrizijski	севернофризијски
istočnofrizijski	источнофризијски
friulski	фриулски
zapadni frizijski	западни фризијски
irski	ирски
ga	га
gagauz	гагауз
gajo	гајо
gbaja	гбаја
škotski gelski	шкотски гелски
geez	геез
gilbertski	гилбертски
galicijski	галицијски
srednji visokonemački	средњи високонемачки
gvarani	гварани
staronemački	старонемачки
gondi	гонди
gorontalo	горонтало
gotski	готски
grebo	гребо
starogrčki	старогрчки
nemački (Švajcarska)	немачки (Швајцарска)
gudžarati	гуџарати
gusi	гуси
manks	манкс
gvičinski	гвичински
hausa	хауса
haida	хаида
havajski	хавајски
južni haida	јужни хаида
hebrejski	хебрејски
hindi	хинди
hingliš	хинглиш
hiligajnonski	хилигајнонски
hetitski	хетитски
hmonški	хмоншки
hmong ndžua	хмонг нџуа
hiri motu	хири моту
hrvatski	хрватски
gornjolužičkosrpski	горњолужичкосрпски
haićanski	хаићански
mađarski	мађарски
hupa	хупа
halkomelem	халкомелем
jermenski	јерменски
herero	хереро
interlingva	интерлингва
ibanski	ибански
ibibio	ибибио
indonežanski	индонежански
interlingve	интерлингве
igbo	игбо
sečuanski ji	сечуански ји
inupik	инупик
iloko	илоко
inguški	ингушки
ido	идо
islandski	исландски
italijanski	италијански
inuktitutski	инуктитутски
japanski	јапански
ložban	ложбан
ngomba	нгомба
mačame	мачаме
judeo-persijski	јудео-персијски
judeo-arapski	јудео-арапски
javanski	јавански
gruzijski	грузијски
kara-kalpaški	кара-калпашки
kabile	кабиле
kačinski	качински
džu	џу
kamba	камба
kavi	кави
kabardijski	кабардијски
tjap	тјап
makonde	маконде
zelenortski	зеленортски
koro	коро
kongo	конго
kaingang	каинганг
kasi	каси
kotaneški	котанешки
kojra čiini	којра чиини
kikuju	кикују
kvanjama	квањама
kazaški	казашки
kako	како
grenlandski	гренландски
kalendžinski	каленџински
kmerski	кмерски
kimbundu	кимбунду
kanada	канада
korejski	корејски
komi-permski	коми-пермски
konkani	конкани
kosrenski	косренски
kpele	кпеле
kanuri	канури
karačajsko-balkarski	карачајско-балкарски
krio	крио
karelski	карелски
kuruk	курук
kašmirski	кашмирски
šambala	шамбала
bafija	бафија
kelnski	келнски
kurdski	курдски
kumički	кумички
kutenaj	кутенај
komi	коми
kornvolski	корнволски
kvakvala	кваквала
kuvi	куви
kirgiski	киргиски
latinski	латински
ladino	ладино
langi	ланги
landa	ланда
lamba	ламба
luksemburški	луксембуршки
lezginski	лезгински
ganda	ганда
limburški	лимбуршки
ligurski	лигурски
lilut	лилут
lakota	лакота
lombard	ломбард
lingala	лингала
laoski	лаоски
mongo	монго
luizijanski kreolski	луизијански креолски
lozi	лози
severni luri	северни лури
samia	самиа
litvanski	литвански
luba-katanga	луба-катанга
luba-lulua	луба-лулуа
luisenjo	луисењо
lunda	лунда
luo	луо
mizo	мизо
lujia	лујиа
letonski	летонски
madurski	мадурски
magahi	магахи
maitili	маитили
makasarski	макасарски
mandingo	мандинго
masajski	масајски
mokša	мокша
mandar	мандар
mende	менде
meru	меру
morisjen	морисјен
malgaški	малгашки
srednjeirski	средњеирски
makuva-mito	макува-мито
meta	мета
maršalski	маршалски
maorski	маорски
mikmak	микмак
minangkabau	минангкабау
makedonski	македонски
malajalam	малајалам
mongolski	монголски
mandžurski	манџурски
manipurski	манипурски
inuajmun	инуајмун
mohočki	мохочки
mosi	моси
marati	марати
malajski	малајски
malteški	малтешки
mundang	мунданг
Više jezika	Више језика
kriški	кришки
mirandski	мирандски
marvari	марвари
burmanski	бурмански
erzja	ерзја
mazanderanski	мазандерански
nauruski	науруски
napuljski	напуљски
nama	нама
norveški bukmol	норвешки букмол
severni ndebele	северни ндебеле
niskonemački	нисконемачки
niskosaksonski	нискосаксонски
nepalski	непалски
nevari	невари
ndonga	ндонга
nias	ниас
niuejski	ниуејски
holandski	холандски
flamanski	фламански
kvasio	квасио
norveški ninorsk	норвешки нинорск
ngiembun	нгиембун
norveški	норвешки
nogajski	ногајски
staronordijski	старонордијски
nko	нко
južni ndebele	јужни ндебеле
severni soto	северни сото
nuer	нуер
navaho	навахо
klasični nevarski	класични неварски
njandža	њанџа
njamvezi	њамвези
njankole	њанколе
njoro	њоро
nzima	нзима
oksitanski	окситански
odžibve	оџибве
severozapadni odžibva	северозападни оџибва
centralni odžibva	централни оџибва
odžikri	оџикри
zapadni odžibva	западни оџибва
okangan	оканган
oromo	оромо
odija	одија
osetinski	осетински
osage	осаге
osmanski turski	османски турски
pendžapski	пенџапски
pangasinanski	пангасинански
pahlavi	пахлави
pampanga	пампанга
papijamento	папијаменто
palauski	палауски
nigerijski pidžin	нигеријски пиџин
staropersijski	староперсијски
feničanski	феничански
pali	пали
pidžin	пиџин
poljski	пољски
ponpejski	понпејски
malisepasamakvodi	малисепасамакводи
pruski	пруски
starooksitanski	староокситански
paštunski	паштунски
portugalski	португалски
portugalski (Portugal)	португалски (Португал)
kečua	кечуа
kiče	киче
radžastanski	раџастански
rapanui	рапануи
rarotonganski	раротонгански
rohingja	рохингја
romanš	романш
kirundi	кирунди
rumunski	румунски
moldavski	молдавски
rombo	ромбо
romski	ромски
ruski	руски
cincarski	цинцарски
kinjaruanda	кињаруанда
rua	руа
sanskrit	санскрит
sandave	сандаве
saha	саха
samarijanski aramejski	самаријански арамејски
samburu	самбуру
sasak	сасак
santali	сантали
ngambaj	нгамбај
sangu	сангу
sardinski	сардински
sicilijanski	сицилијански
škotski	шкотски
sindi	синди
južnokurdski	јужнокурдски
severni sami	северни сами
sena	сена
selkupski	селкупски
kojraboro seni	којраборо сени
sango	санго
staroirski	староирски
srpskohrvatski	српскохрватски
tašelhit	ташелхит
šanski	шански
sinhaleški	синхалешки
sidamo	сидамо
slovački	словачки
slovenački	словеначки
južni lašutsid	јужни лашутсид
samoanski	самоански
južni sami	јужни сами
lule sami	луле сами
inari sami	инари сами
skolt sami	сколт сами
šona	шона
soninke	сонинке
somalski	сомалски
sogdijski	согдијски
albanski	албански
srpski	српски
sranan tongo	сранан тонго
sererski	серерски
svazi	свази
saho	сахо
sesoto	сесото
streicsališ	стреицсалиш
sundski	сундски
sukuma	сукума
susu	сусу
sumerski	сумерски
švedski	шведски
svahili	свахили
kisvahili	кисвахили
komorski	коморски
sirijački	сиријачки
sirijski	сиријски
siležanski	силежански
tamilski	тамилски
južni tačon	јужни тачон
telugu	телугу
timne	тимне
teso	тесо
tereno	терено
tetum	тетум
tadžički	таџички
tagiš	тагиш
tajski	тајски
tahltan	тахлтан
tigrinja	тигриња
tigre	тигре
tiv	тив
turkmenski	туркменски
tokelau	токелау
tagalog	тагалог
klingonski	клингонски
tlingit	тлингит
tamašek	тамашек
cvana	цвана
tonganski	тонгански
njasa tonga	њаса тонга
tokipona	токипона
tok pisin	ток писин
turski	турски
taroko	тароко
conga	цонга
cimšian	цимшиан
tatarski	татарски
severni tučon	северни тучон
tumbuka	тумбука
tuvalu	тувалу
tvi	тви
tasavak	тасавак
tahićanski	тахићански
tuvinski	тувински
centralnoatlaski tamašek	централноатласки тамашек
udmurtski	удмуртски
ujgurski	ујгурски
ugaritski	угаритски
ukrajinski	украјински
umbundu	умбунду
nepoznat jezik	непознат језик
urdu	урду
uzbečki	узбечки
vai	ваи
venda	венда
venecijanski	венецијански
vijetnamski	вијетнамски
makuva	макува
volapik	волапик
vodski	водски
vundžo	вунџо
valonski	валонски
valserski	валсерски
volajta	волајта
varajski	варајски
vašo	вашо
varlpiri	варлпири
volof	волоф
vu kineski	ву кинески
kalmički	калмички
kosa	коса
kangri	кангри
soga	сога
jao	јао
japski	јапски
jangben	јангбен
jemba	јемба
jidiš	јидиш
joruba	јоруба
ningatu	нингату
kantonski	кантонски
džuanški	џуаншки
zapotečki	запотечки
blisimboli	блисимболи
zenaga	зенага
kineski	кинески
pojednostavljeni kineski	поједностављени кинески
tradicionalni kineski	традиционални кинески
zulu	зулу
zuni	зуни
zaza	заза
Andorska pezeta	Андорска пезета
dirham UAE	дирхам УАЕ
avganistanski avgani	авганистански авгани
albanski lek	албански лек
jermenski dram	јерменски драм
holandskoantilski gulden	холандскоантилски гулден
angolska kvanza	анголска кванза
Argentinski austral	Аргентински аустрал
Argentinski pezos lej	Аргентински пезос леј
argentinski pezos	аргентински пезос
Austrijski šiling	Аустријски шилинг
australijski dolar	аустралијски долар
arubanski florin	арубански флорин
azerbejdžanski manat	азербејџански манат
barbadoški dolar	барбадошки долар
bangladeška taka	бангладешка така
Belgijski franak	Белгијски франак
Bugarski tvrdi lev	Бугарски тврди лев
bugarski lev	бугарски лев
Stari bugarski lev	Стари бугарски лев
bahreinski dinar	бахреински динар
burundski franak	бурундски франак
bermudski dolar	бермудски долар
brunejski dolar	брунејски долар
bolivijski bolivijano	боливијски боливијано
Bolivijski pezo	Боливијски пезо
Bolivijski mvdol	Боливијски мвдол
Brazilijski kruzado	Бразилијски крузадо
brazilski real	бразилски реал
Brazilijski novi kruzado	Бразилијски нови крузадо
Brazilski kruzeiro	Бразилски крузеиро
Stari brazilski kruzeiro	Стари бразилски крузеиро
bahamski dolar	бахамски долар
butanski ngultrum	бутански нгултрум
Burmanski kjat	Бурмански кјат
bocvanska pula	боцванска пула
beloruska rublja	белоруска рубља
beliski dolar	белиски долар
kanadski dolar	канадски долар
kongoanski franak	конгоански франак
WIR evro	WIR евро
švajcarski franak	швајцарски франак
WIR franak	WIR франак
Čileanski eskudo	Чилеански ескудо
čileanski pezos	чилеански пезос
kineski juan (ostrvski)	кинески јуан (острвски)
kineski juan	кинески јуан
kolumbijski pezos	колумбијски пезос
Unidad de valorški real	Унидад де валоршки реал
kostarikanski kolon	костарикански колон
Stari srpski dinar	Стари српски динар
Čehoslovačka tvrda kruna	Чехословачка тврда круна
kubanski pezos	кубански пезос
zelenortski eskudo	зеленортски ескудо
Kiparska funta	Кипарска фунта
češka kruna	чешка круна
Istočno-nemačka marka	Источно-немачка марка
Nemačka marka	Немачка марка
džibutski franak	џибутски франак
danska kruna	данска круна
dominikanski pezos	доминикански пезос
alžirski dinar	алжирски динар
Ekvadorski sakr	Еквадорски сакр
Estonska kroon	Естонска кроон
egipatska funta	египатска фунта
eritrejska nakfa	еритрејска накфа
Španska pezeta (račun)	Шпанска пезета (рачун)
Španska pezeta	Шпанска пезета
etiopijski bir	етиопијски бир
evro	евро
Finska marka	Финска марка
fidžijski dolar	фиџијски долар
folklandska funta	фолкландска фунта
Francuski franak	Француски франак
britanska funta	британска фунта
Gruzijski kupon larit	Грузијски купон ларит
gruzijski lari	грузијски лари
Ganski cedi (1979–2007)	Гански цеди (1979–2007)
ganski sedi	гански седи
gibraltarska funta	гибралтарска фунта
gambijski dalasi	гамбијски даласи
gvinejski franak	гвинејски франак
Gvinejski sili	Гвинејски сили
Grčka drahma	Грчка драхма
gvatemalski kecal	гватемалски кецал
Gvineja Bisao Pezo	Гвинеја Бисао Пезо
gvajanski dolar	гвајански долар
hongkonški dolar	хонгконшки долар
honduraška lempira	хондурашка лемпира
Hrvatski dinar	Хрватски динар
hrvatska kuna	хрватска куна
haićanski gurd	хаићански гурд
mađarska forinta	мађарска форинта
indonežanska rupija	индонежанска рупија
Irska funta	Ирска фунта
Izraelska funta	Израелска фунта
Stari izraelski šekeli	Стари израелски шекели
izraelski novi šekel	израелски нови шекел
indijska rupija	индијска рупија
irački dinar	ирачки динар
iranski rijal	ирански ријал
Stara islandska kruna	Стара исландска круна
islandska kruna	исландска круна
Italijanska lira	Италијанска лира
jamajčanski dolar	јамајчански долар
jordanski dinar	јордански динар
japanski jen	јапански јен
kenijski šiling	кенијски шилинг
kirgistanski som	киргистански сом
kambodžanski rijel	камбоџански ријел
komorski franak	коморски франак
severnokorejski von	севернокорејски вон
Južnokorejski hvan	Јужнокорејски хван
Stari južnokorejski von	Стари јужнокорејски вон
južnokorejski von	јужнокорејски вон
kuvajtski dinar	кувајтски динар
kajmanski dolar	кајмански долар
kazahstanski tenge	казахстански тенге
laoski kip	лаоски кип
libanska funta	либанска фунта
šrilančanska rupija	шриланчанска рупија
liberijski dolar	либеријски долар
lesotski loti	лесотски лоти
Litvanski litas	Литвански литас
Litvanski talonas	Литвански талонас
Luksemburški franak	Луксембуршки франак
Latvijski lati	Латвијски лати
Latvijska rublja	Латвијска рубља
libijski dinar	либијски динар
marokanski dirham	марокански дирхам
Marokanski franak	Марокански франак
Monegaskanski franak	Монегаскански франак
Moldovanski kupon	Молдовански купон
moldavski lej	молдавски леј
malgaški arijari	малгашки аријари
Malagasijski franak	Малагасијски франак
makedonski denar	македонски денар
Stari makedonski denar	Стари македонски денар
Malijanski franak	Малијански франак
mjanmarski kjat	мјанмарски кјат
mongolski tugrik	монголски тугрик
makaoska pataka	макаоска патака
mauritanska ogija	мауританска огија
Malteška lira	Малтешка лира
Malteška funta	Малтешка фунта
mauricijska rupija	маурицијска рупија
maldivska rufija	малдивска руфија
malavijska kvača	малавијска квача
meksički pezos	мексички пезос
malezijski ringit	малезијски рингит
Mozambijski eskudo	Мозамбијски ескудо
mozambički metikal	мозамбички метикал
namibijski dolar	намибијски долар
nigerijska naira	нигеријска наира
nikaragvanska kordoba	никарагванска кордоба
Holandski gulden	Холандски гулден
norveška kruna	норвешка круна
nepalska rupija	непалска рупија
novozelandski dolar	новозеландски долар
omanski rijal	омански ријал
panamska balboa	панамска балбоа
Peruanski inti	Перуански инти
peruanski sol	перуански сол
papuanska kina	папуанска кина
filipinski pezos	филипински пезос
pakistanska rupija	пакистанска рупија
poljski zlot	пољски злот
Portugalski eskudo	Португалски ескудо
paragvajski gvarani	парагвајски гварани
katarski rijal	катарски ријал
Rodejskidolar	Родејскидолар
Rumunski lej (1952–2006)	Румунски леј (1952–2006)
rumunski lej	румунски леј
srpski dinar	српски динар
ruska rublja	руска рубља
Ruska rublja (1991–1998)	Руска рубља (1991–1998)
ruandski franak	руандски франак
saudijski rijal	саудијски ријал
solomonski dolar	соломонски долар
sejšelska rupija	сејшелска рупија
Stari sudanski dinar	Стари судански динар
sudanska funta	суданска фунта
Stara sudanska funta	Стара суданска фунта
švedska kruna	шведска круна
singapurski dolar	сингапурски долар
funta Svete Jelene	фунта Свете Јелене
Slovenački tolar	Словеначки толар
Slovačka kruna	Словачка круна
sijeraleonski leone	сијералеонски леоне
somalijski šiling	сомалијски шилинг
surinamski dolar	суринамски долар
Surinamski gilder	Суринамски гилдер
južnosudanska funta	јужносуданска фунта
saotomska dobra	саотомска добра
Sovjetska rublja	Совјетска рубља
Salvadorski kolon	Салвадорски колон
sirijska funta	сиријска фунта
svazilendski lilangeni	свазилендски лилангени
tajlandski bat	тајландски бат
Tadžihistanska rublja	Таџихистанска рубља
tadžikistanski somon	таџикистански сомон
turkmenistanski manat	туркменистански манат
tuniski dinar	туниски динар
tonganska panga	тонганска панга
Timorški eskudo	Тиморшки ескудо
Turska lira (1922–2005)	Турска лира (1922–2005)
turska lira	турска лира
trinidadskotobaški dolar	тринидадскотобашки долар
novi tajvanski dolar	нови тајвански долар
tanzanijski šiling	танзанијски шилинг
ukrajinska grivna	украјинска гривна
Ukrajinski karbovaneti	Украјински карбованети
ugandski šiling	угандски шилинг
američki dolar	амерички долар
SAD dolar (sledeći dan)	САД долар (следећи дан)
SAD dolar (isti dan)	САД долар (исти дан)
urugvajski pezos	уругвајски пезос
uzbekistanski som	узбекистански сом
venecuelanski bolivar	венецуелански боливар
vijetnamski dong	вијетнамски донг
vanuatski vatu	вануатски вату
samoanska tala	самоанска тала
centralnoafrički franak	централноафрички франак
Srebro	Сребро
Zlato	Злато
istočnokaripski dolar	источнокарипски долар
Posebna crtaća prava	Посебна цртаћа права
Francuski zlatni franak	Француски златни франак
Francuski UIC-franak	Француски UIC-франак
zapadnoafrički franak	западноафрички франак
Paladijum	Паладијум
CFP franak	CFP франак
Platina	Платина
RINET fond	RINET фонд
Kod testirane valute	Код тестиране валуте
nepoznata valuta	непозната валута
Jemenski dinar	Јеменски динар
jemenski rijal	јеменски ријал
Jugoslovenski novi dinar	Југословенски нови динар
južnoafrički rand	јужноафрички ранд
zambijska kvača	замбијска квача
Zairski novi zair	Заирски нови заир
Zairski zair	Заирски заир
"""
TESTS = """seed,places
9,6 10 11 14 26 27 35 36 53 55 67 75 83 87 88 90 95 100 106 112 118 125 128 134 135 145 146 152 153 158 164 165 166 167 168 173 180 182 184 189 192 200 205 211 216 223 226 227 232 246 248 249 263 264 265 276 279 283 291 293 296 301 311 315 319 323 332 335 337 346 348 360 361 364 368 389 399 404 411 414 415 420 422 423 427 432 435 446 462 467 470 472 475 485 487 493 498 507 509 514 519 523 524 526 532 533 535 537 541 553 555 565 566 567 568 575 577 582 583 597 602 603 616 622 633 641 642 654 658 659 662 667 672 693 695 699 706 713 732 738 742 751 755 761 762 775 784 803 809 815 822 837 843 846 848 871 875 887 888 903 904 911 912 916 917 920 929 936 942 953 954 971 975 982 985 992 1006 1016 1017 1030 1031 1034 1040 1049 1052 1053 1055 1056 1067 1068 1069
23,31 46 48 52 53 54 62 69 79 83 84 87 90 94 98 101 102 105 113 120 124 132 134 136 142 144 147 150 152 155 156 158 159 167 170 174 178 182 186 190 197 224 228 231 235 244 259 261 262 267 268 271 280 282 286 313 318 336 339 343 348 351 356 359 360 364 368 370 376 387 389 391 394 399 404 413 415 417 421 422 439 440 444 475 476 478 485 486 493 509 510 514 524 525 531 535 539 550 553 554 558 560 574 575 576 581 585 586 588 589 591 594 601 602 608 609 618 622 628 635 636 640 644 650 672 690 693 695 708 722 723 725 728 729 731 744 747 755 757 759 776 780 788 790 798 801 803 804 821 827 830 831 842 848 890 892 893 900 914 918 921 926 929 933 939 949 954 958 963 967 972 977 979 987 994 996 998 1010 1016 1020 1022 1024 1028 1032 1036 1038 1039 1056 1057 1058 1064 1069
89,2 7 10 25 26 39 55 60 66 79 86 98 117 125 128 130 131 140 147 151 152 155 165 168 169 170 171 173 179 201 212 215 227 232 244 246 248 252 254 259 262 269 271 280 292 293 294 299 311 315 316 317 319 332 343 345 347 348 352 353 360 361 366 372 376 377 379 386 403 406 431 442 444 453 459 462 468 469 476 491 501 504 505 516 526 531 533 539 548 556 563 584 595 603 612 614 616 621 622 624 628 630 636 652 665 666 670 672 675 680 682 683 703 704 706 710 717 726 731 732 737 738 768 772 789 792 793 795 798 799 807 810 818 832 834 854 861 863 868 874 879 889 891 896 905 915 918 923 924 929 933 936 940 950 955 970 982 989 998 1007 1009 1047 1052 1058 1059 1063
"""
RATES = """condition,epochs,rate,share
attention,6,0.004,0.0429
attention,6,0.008,0.2929
attention,6,0.016,0.3786
attention,6,0.032,0.2357
attention,24,0.004,0.7143
attention,24,0.008,0.7714
attention,24,0.016,0.7786
attention,24,0.032,0.5929
one vector,6,0.004,0.0000
one vector,6,0.008,0.0143
one vector,6,0.016,0.0286
one vector,6,0.032,0.0214
one vector,24,0.004,0.0214
one vector,24,0.008,0.0714
one vector,24,0.016,0.0929
one vector,24,0.032,0.0571
"""
RESULTS = """condition,seed,epochs,steps,pairs,parameters,rate,right,tested
attention,9,6,222,743,39846,0.016,66,191
attention,23,6,222,742,39507,0.016,79,192
attention,89,6,228,768,39644,0.016,84,166
attention,9,24,888,743,39846,0.016,137,191
attention,23,24,888,742,39507,0.016,139,192
attention,89,24,912,768,39644,0.016,125,166
one vector,9,6,222,743,39846,0.016,4,191
one vector,23,6,222,742,39507,0.016,8,192
one vector,89,6,228,768,39644,0.016,4,166
one vector,9,24,888,743,39846,0.016,11,191
one vector,23,24,888,742,39507,0.016,25,192
one vector,89,24,912,768,39644,0.016,19,166
baseline,9,0,0,743,0,0,177,191
baseline,23,0,0,742,0,0,183,192
baseline,89,0,0,768,0,0,153,166
"""
CARD = """seed,question,yes,asked
9,context,1759,1823
9,darkest,1615,1823
9,other,1,1823
9,swapped,743,1456
9,earlier,244,1823
23,context,1611,1800
23,darkest,1487,1800
23,other,5,1800
23,swapped,756,1475
23,earlier,314,1800
89,context,1472,1562
89,darkest,1289,1562
89,other,2,1562
89,swapped,524,1215
89,earlier,225,1562
"""
WORDS = ["yes", "yes", "undecided", "no"]
CLAIMS = [["more", "attention", "one vector", 24, 0.4], ["more", "baseline", "attention", 24, 0.13]]
