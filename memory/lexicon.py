"""Words that the rules of perception and extraction share: relations, places, tools, units, moods, absurdities."""

import re

FAMILY_ZH = {
    "老婆|妻子|媳妇|太太": "wife",
    "老公|丈夫|先生": "husband",
    "爱人|伴侣|对象": "partner",
    "女朋友": "girlfriend",
    "男朋友": "boyfriend",
    "女儿|闺女|姑娘": "daughter",
    "儿子": "son",
    "孩子|娃|宝宝|小孩": "child",
    "妈妈|老妈|母亲|妈|娘": "mother",
    "爸爸|老爸|父亲|爸|爹": "father",
    "爸妈|父母": "parents",
    "哥哥|大哥|哥": "brother",
    "弟弟|弟": "brother",
    "姐姐|大姐|姐": "sister",
    "妹妹|妹": "sister",
    "爷爷|外公|姥爷": "grandfather",
    "奶奶|外婆|姥姥": "grandmother",
    "公公婆婆|岳父岳母": "parents-in-law",
    "老人|老人家": "elders",
    "公公|岳父|老丈人": "father-in-law",
    "婆婆|岳母|丈母娘": "mother-in-law",
}
FAMILY_EN = {
    "wife": "wife",
    "husband": "husband",
    "partner|spouse": "partner",
    "fiancée?|girlfriend|boyfriend": "partner",
    "daughter": "daughter",
    "son": "son",
    "kid|child|baby": "child",
    "mom|mum|mother|mama": "mother",
    "dad|father|papa": "father",
    "parents|folks": "parents",
    "brother": "brother",
    "sister": "sister",
    "grandma|grandmother|nana": "grandmother",
    "grandpa|grandfather": "grandfather",
}
OTHERS_ZH = (
    r"朋友|好友|同事|同学|室友|闺蜜|哥们儿?|兄弟|领导|老板|上司|经理|邻居|房东|表[哥弟姐妹]|堂[哥弟姐妹]|前任|前女友|前男友|前同事"
    r"|客户|老师|导师|同桌|舍友|学生|徒弟|下属|网友|大爷|叔叔?|阿姨|舅舅?|姑姑?|姨妈?|侄子|侄女|外甥女?"
)
OTHERS_EN = (
    r"(?:best )?friends?|cowork\w+|co-workers?|colleagues?|boss|manager|neighbou?rs?|landlord|landlady|roommates?|flatmates?|housemates?"
    r"|cousins?|uncles?|aunts?|nephews?|nieces?|teachers?|teammates?|interns?|clients?|customers?|exe?s?|ex-\w+|in-laws|buddy|mates?|doctors?"
)
SURNAMES = frozenset(
    "王李张刘陈杨黄赵吴周徐孙马朱胡郭何高林罗郑梁谢宋唐许韩冯邓曹彭曾肖田董袁潘于蒋蔡余杜叶程苏魏吕丁任沈姚卢姜崔钟谭陆汪范金石廖贾夏韦付方白邹孟熊秦邱江尹薛闫段雷侯龙史陶黎贺顾毛郝龚邵万钱严覃武戴莫孔向汤温康施文牛樊葛邢安齐易乔伍庞颜倪庄聂章鲁岳翟殷詹申欧耿关兰焦俞左柳甘祝包宁尚符舒阮柯纪梅童凌毕单季裴霍涂成苗谷盛曲翁冉骆蓝路游辛靳欧阳管柴蒙鲍华喻祁蒲房滕屈饶解牟艾尤阳时穆农司卓古吉缪简车项连芦麦褚娄窦戚岑景党宫费卜冷晏席卫米柏宗瞿桂全佟应臧闵苟邬边卞姬师和仇栾隋商刁沙荣巫寇桑郎甄丛仲虞敖巩明佘池查麻苑迟邝"
)
CITIES = frozenset(
    "北京 上海 广州 深圳 杭州 南京 苏州 成都 重庆 武汉 西安 天津 长沙 郑州 青岛 济南 厦门 福州 宁波 无锡 合肥 南昌 昆明 贵阳 南宁 海口 三亚"
    " 沈阳 大连 长春 哈尔滨 石家庄 太原 呼和浩特 兰州 西宁 银川 乌鲁木齐 拉萨 香港 澳门 台北 东莞 佛山 珠海 中山 惠州 温州 绍兴 嘉兴 常州"
    " 南通 徐州 扬州 烟台 潍坊 洛阳 襄阳 宜昌 株洲 桂林 大理 丽江 绵阳 泉州 唐山 保定 新加坡 东京 大阪 首尔 伦敦 巴黎 纽约 柏林 悉尼 墨尔本"
    " 多伦多 温哥华 旧金山 洛杉矶 西雅图 波士顿 曼谷 吉隆坡 迪拜 浦东 南山 海淀 朝阳".split()
)
PROGRAMMING = (
    r"Go(?:lang)?|Rust|Java(?:Script)?|TypeScript|TS|JS|Python|C\+\+|C#|Kotlin|Swift|Ruby|PHP|Scala|Elixir|Haskell|Perl|Lua|Dart"
    r"|Julia|Clojure|Erlang|Zig|Fortran|COBOL|Objective-C|Groovy|Matlab|R语言|易语言"
)
PROGRAMMING_ONLY = re.compile(rf"(?:{PROGRAMMING})(?:语言| language)?", re.IGNORECASE)
UNITS = (
    r"摄氏度?|华氏度?|公里|英里|公斤|千克|市斤|磅|厘米|英寸|英尺|平方米|人民币|美元|欧元|港币|日元|英镑|二十四小时制|24小时制|12小时制|公制|英制"
    r"|celsius|fahrenheit|metric(?: units)?|imperial(?: units)?|kilomet(?:er|re)s?|kms?|miles|kilos?|kilograms?|pounds|euros?|dollars|usd|eur|gbp"
    r"|24[- ]hour(?: clock| time)?|12[- ]hour(?: clock| time)?"
)
NATURAL_LANGUAGES = (
    r"中文|英文|英语|简体中文|简体|繁体中文|繁体|日语|日文|法语|德语|粤语|韩语|西班牙语|普通话|汉语|双语"
    r"|english|chinese|mandarin|cantonese|german|french|spanish|japanese|korean|portuguese|italian|dutch|russian|simple english"
)
MOODS_ZH = (
    r"焦虑|抑郁|emo|失眠|崩溃|压力(?:很|好|特别|太|挺|山|巨|超|真)?大|难过|低落|郁闷|沮丧|睡不着|睡不好|烦躁|迷茫|孤独|疲惫|害怕|伤心|委屈|绝望"
    r"|开心|兴奋|激动|幸福|高兴|紧张|心累|没精神|没动力|提不起劲|心情(?:很|特别|不)?(?:好|差|糟|低落|不好)|内耗|恐慌|自责"
)
MOODS_EN = (
    r"stressed(?: out)?|anxious|depressed|down|sad|overwhelmed|burn(?:ed|t) out|exhausted|lonely|worried|nervous|miserable|hopeless"
    r"|unmotivated|homesick|grieving|heartbroken|happy|excited|thrilled|proud|frustrated|insomnia|restless|low|blue|devastated|relieved"
)
ABSURD_ZH = re.compile(
    r"秦始皇|皇帝|皇上|玉皇|外星人|神仙|奥特曼|孙悟空|齐天大圣|蝙蝠侠|超人|蜘蛛侠|机器|天才|废物|咸鱼|干饭|社畜本畜|月球|火星|永远|打钱"
    r"|出家|仙女|霸王龙|恐龙|葫芦娃|哪吒|美人鱼|一条狗|牛马|过敏.{0,3}(?:上班|加班)|对(?:上班|加班|周一|工作|开会|老板|学习|数学|早起|人类|贫穷|穷|恋爱|傻瓜?|笨蛋?)"
)
ABSURD_EN = re.compile(
    r"\b(?:batman|superman|spider-?man|potato|zombie|robot|forever|literally|unicorn|vampire|ghost|the moon|mars|the pope|god|jesus|napoleon"
    r"|the queen of|wizard|alien|my soul|caffeine and|spite|the dmv|a mess|a disaster|a genius|an idiot|allergic to (?:mondays?|work|meetings|mornings|people"
    r"|exercise|nonsense|bullshit|stupidity|paperwork|adulting|drama))\b",
    re.IGNORECASE,
)


def relation_zh(word: str) -> str | None:
    """The English name of a family relation ("哥" -> "brother"), or None."""
    return _relation(word, FAMILY_ZH)


def relation_en(word: str) -> str | None:
    """The normal name of a family relation ("mum" -> "mother"), or None."""
    return _relation(word.lower(), FAMILY_EN)


def _relation(word: str, table: dict[str, str]) -> str | None:
    return next((name for words, name in table.items() if re.fullmatch(words, word)), None)


def is_chinese(text: str) -> bool:
    """Whether a statement reads as Chinese: it has Han characters that aren't a mere name in an English sentence."""
    han = len(re.findall(r"[\u4e00-\u9fff]", text))
    latin = len(re.findall(r"[A-Za-z]+", text))
    if han == 0 or (
        latin >= 2 and re.match(r"\W*(?:I|I'm|I've|My|We|Our|The|What|How|It|In|Can)\b", text, re.IGNORECASE)
    ):
        return False
    return han >= 2 * latin or bool(re.search(r"[我你他她的了是在不]", text))
