"""The extraction rules for Chinese, in order of precedence. Each reads what follows the subject."""

import re

from memory.lexicon import CITIES, NATURAL_LANGUAGES, PROGRAMMING, SURNAMES, UNITS
from memory.rules import BARE, FAMILY, SELF, WE, Rule, pattern, table

_ANY = frozenset({SELF, BARE})
_OURS = frozenset({SELF, WE, BARE})
_KIN = frozenset({SELF, FAMILY, BARE})
_END = r"(?:的|了|呢|哈|啊|呀|哦|吧|啦|嘛|哒|滴)*$"
_HEAD = r"[^，。！？,]"
_JOBS = (
    r"(?:[^，。是的]{0,10}?(?:工程师|设计师|会计师?|律师|医师|药师|厨师|教师|老师|讲师|摄影师|架构师|分析师|培训师|咨询师|咨询|规划师|化妆师|美发师|技师|程序员|程序猿|码农|销售员?|服务员|快递员|外卖员|驾驶员|飞行员|公务员"
    r"|职员|店员|保安|保姆|研究员|营养师|护士|医生|大夫|司机|警察|军人|消防员|记者|编辑|翻译|作家|画家|演员|歌手|主播|博主|教授|博士后?|博士生|研究生|大学生|高中生|学生|实习生|经理|主管|总监|组长|店长|厂长|校长|主任|助理|秘书"
    r"|出纳|财务|审计|税务|法务|人事|HR|HRBP|行政|采购|运营|产品|测试|开发|后端|前端|全栈|算法|运维|数据分析|数据|设计|室内设计|平面设计|UI|美工|客服|物流|仓管|电工|木工|瓦工|农民|渔民|工人|电商|微商|代购|自由职业者?"
    r"|PM|DBA|CTO|CEO|CFO|QA|SRE|DevOps|创业者?|个体户|全职(?:妈妈|太太|爸爸|主妇)|家庭主妇|退休(?:工人|教师|干部)?))(?:一[枚名个])?"
)
_PETS = r"(?:猫咪?|狗狗?|犬|兔子?|鹦鹉|仓鼠|乌龟|金鱼|鱼|鸟|柯基|柴犬|金毛|泰迪|拉布拉多|边牧|哈士奇|布偶|英短|美短|橘猫|蜥蜴|守宫|蛇|龙猫|豚鼠|刺猬)"
_ILLNESS = r"(?:病|症|炎|癌|不耐受|高血压|低血压|高血糖|低血糖|高血脂|糖尿病?|近视|散光|老花|哮喘|贫血|突出|结节|痛风|过劳|耳鸣|色盲|色弱|癫痫|骨折|甲亢|甲减|甲状腺.{0,4}|脂肪肝|结石|晕车|晕船|晕针|恐高|怕高|怕热|怕冷|怀孕|孕期)"
_NOT_OBJECT = re.compile(
    r"^(?:你|您|他|她|它|这|那|哪|谁|我|什么|啥|人家|自己|上你|刚才|上面|了|过|是|不|你们|他们|她们|咱|得|死|的|吧|啊|问|说|问题)"
)
_NOT_BEING = re.compile(
    r"^(?:说|想|要|来|去|在|不|真|觉得|为了|怕|这|那|第一次|第[一二三四\d]|看|听|指|谁|什么|啥|打算|从|因为|可以|认真|服|醉|吃|用|有|没|跟|和|对|按|被|问|因|如何|怎|不是|对的|应该|非常|很|特别|挺|你|他|她|它|自己|故意|无语|懂|爱|喜欢|一?个?(?:天才|笨蛋|傻|废物)|同意|支持|新手$|认为|建议|希望|会(?!员|计)|能|直接|照|昨天|今天|刚|上(?!海|班族)|最近|已经|一边|完全|绝对|真的|小白$|无辜|的$)"
)
_LASTING = r"平时|一般|通常|经常|常年|每|一直|从小|多年|[一二两三四五六七八九十几\d]年|长期|主要|基本|从不|从来|向来|总是|习惯|周末|业余|睡前|下班|小时候|早上|晚上|午休|好几年|多年|天天|常常"
_LIFE_VERBS = r"练|养|种|骑|坐|开车|住|睡|起床|跑步?|游泳|打(?!不|开|错|断|算)|弹|画|教|带(?:团|队|孩子|娃|学生)|租|用|穿|戴|抽|喝|吃|忌|还(?:房贷|车贷)|供|炒股|投资|理财|定投|收集|追|看(?!不|到|见|了)|听(?!不|到|见|懂)|拍|剪|织|钓|爬|滑|关注|订阅|兼职|加班|值班|倒班|上夜班|出差|健身|锻炼|冥想|写(?!错|不)|读|玩|逛|做(?!不|错)|遛|泡|跳|唱|散步|徒步|露营"
_SESSION = re.compile(
    r"靠它|这个|那个|这段|它|代码|报错|页面|文件|链接|第[一二三\d]|你|上面|刚才|答案|问题|图片|截图|bug|运行|一下|不了$|不懂|失败"
)
_CITY_WORD = "|".join(sorted(CITIES, key=len, reverse=True))


def _object(value: str) -> bool:
    return (
        not _NOT_OBJECT.match(value)
        and not re.match(r"里面|其中|剧情$|生活的", value)
        and 1 <= len(value) <= 24
        and not re.search(r"(?:感觉|说法|想法|方案|建议|回答|主意|思路)$", value)
    )


def _thing(value: str) -> bool:
    return _object(value) or value.startswith("简洁")


def _being(value: str) -> bool:
    return not _NOT_BEING.match(value) and 2 <= len(value) <= 16


def _name(value: str) -> bool:
    return not re.match(
        r"(?:了|他|她|你|我|它|外卖|车|滴滴|快递|人|不|什么|啥|你们|个|醒|停|板|好|做|作|代驾|网约|号|嚣|苦|妈|爸|这|那|一)",
        value,
    ) and not re.search(r"(?:来|去|了|的)$", value)


def _place(value: str) -> bool:
    return (
        not re.match(r"(?:这|那|哪|家|学校|公司|单位|酒店|宾馆|院|一起|了|你|他|她|外面|里|路上|心|哪|不|过)", value)
        and len(value) <= 20
    )


_VERB_LIKE = r"(?:喜欢|爱(?=[吃喝看听玩用穿逛唱打])|热爱|喜爱|偏爱|偏好|钟爱|迷上了?|痴迷|超爱|最爱|中意|倾向于?|享受|好(?=吃辣|喝|这口)|爱上了?|prefer|love|like)"
_VERB_HATE = r"(?:讨厌|厌恶|反感|恨(?!不)|烦(?!恼|人|请|躁|死|你|我)|最怕|受不了|忍不了|受不住|烦透了?|嫌弃|吃不惯|喝不惯|用不惯|看不惯|怕(?!热|冷|高|来|是|你|我|他|她|忘|错|不|会|万|麻烦你|打扰|影响|耽误|有)|hate)"
_VERB_NOT = r"(?:不(?:太|怎么|大|是很|是特别|是太|再|敢|能|想)?(?:喜欢|爱(?=[吃喝看听玩用穿逛])?|吃|喝|碰|沾|抽|看(?!懂|清|到|见|出|明)|听(?!懂|清|到|见|明)|玩|穿|用(?!了|管|谢|急|担)|坐)|不(?:太|怎么)?能(?:吃|喝|碰|沾|闻)|吃不了|喝不了|从不|没法吃|沾不得|碰不得)"

RULES = table(
    # corrections of names come before other statements
    Rule(rule="zh.name", pattern=pattern(r"^(?:大名|全名|本名|真名|名字|姓名|中文名)?(?:就?叫|是叫|叫做|名叫|叫|名字(?:就)?(?:叫|是)|姓名(?:叫|是)?|(?<=名)是)(?:做)?(?P<v>[\u4e00-\u9fff·]{1,4}|[A-Za-z][A-Za-z .'\-]{0,24}[A-Za-z])(?:就行|就好|即可|吧|哈|啦|呀|哦)?$"),
         attribute="name", subjects=frozenset({SELF, FAMILY}), confidence=0.97, firm=True, check=_name),
    Rule(rule="zh.name.now", pattern=pattern(r"^(?:改|改名|改)?叫(?P<v>[\u4e00-\u9fff]{2,4})了?$"), attribute="name", subjects=frozenset({BARE}), supersedes=True, check=lambda v: v[0] in SURNAMES and _name(v)),
    Rule(rule="zh.name.english", pattern=pattern(r"^(?:的)?(?:英文名|中文名|网名|昵称|小名|花名|姓名|名字|大名)(?:是|叫|为)(?P<v>[\u4e00-\u9fff·]{1,6}|[A-Za-z][A-Za-z .'\-]{0,24})$"),
         attribute="nickname", subjects=frozenset({SELF, FAMILY}), confidence=0.95, firm=True, check=_name),
    Rule(rule="zh.name.surname", pattern=pattern(r"^(?:免贵)?姓(?P<v>[\u4e00-\u9fff]{1,2})$"), attribute="name", subjects=_ANY, check=_name),
    Rule(rule="zh.name.call", pattern=pattern(r"^(?:请|你?可以|请?用[^，。]{1,4}|大家都|同事们?都|都|朋友们?都|用[^，。]{1,4})?(?:叫|喊|称呼)我(?:为|作|做)?(?P<v>[\u4e00-\u9fffA-Za-z·]{1,12}?)(?:就行|就好|就可以|即可|吧|好了)?$"),
         attribute="nickname", subjects=frozenset({SELF, BARE}), firm=True, check=_name),
    Rule(rule="zh.birthday", pattern=pattern(r"^(?:的)?(?:农历|阳历|阴历)?(?:生日|出生日期|生辰)(?:是|在|为)?(?P<v>[^，。]{0,4}[\d一二三四五六七八九十正腊]+[^，。]{0,8})$"),
         attribute="birthday", subjects=_KIN, confidence=0.95, firm=True),
    Rule(rule="zh.birth", pattern=pattern(r"^(?:是|出生于|生于)?(?P<v>(?:19|20)?\d\d年(?:\d{1,2}月)?(?:\d{1,2}[日号])?|[789]0后|零零后|九零后|八零后)(?:的|出生的?|生的?|生人|人)?$"),
         attribute="birthday", subjects=frozenset({SELF, FAMILY}), firm=True),
    Rule(rule="zh.age", pattern=pattern(r"^(?:是|今年|虚岁|周岁|刚|刚满|快|已经|都|马上)*(?P<v>\d{1,3}|[一二三四五六七八九十两]{1,4})(?:周?岁(?:半|多)?(?:了|啦)?|(?<=\d\d)了)$"),
         attribute="age", subjects=_KIN, confidence=0.92, firm=True),
    Rule(rule="zh.age.bare", pattern=pattern(r"^(?:今年|刚满?|已经)(?P<v>\d{2})(?:了|啦)?$"), attribute="age", subjects=_ANY, firm=True),
    Rule(rule="zh.zodiac", pattern=pattern(r"^属(?P<v>[鼠牛虎兔龙蛇马羊猴鸡狗猪])的?$"), attribute="zodiac", subjects=_KIN, firm=True),
    # health
    Rule(rule="zh.no_allergy", pattern=pattern(r"^(?P<neg>不|没有?)(?:再|会)?对?(?P<v>[^，。]{0,12}?)(?:的)?过敏(?:了|的)?$"),
         attribute="allergy:", subjects=_KIN, polarity=False, confidence=0.95),
    Rule(rule="zh.allergy", pattern=pattern(r"^(?:是|有)?(?:对|碰到?|吃)(?P<v>[^，。]{1,16}?)(?:严重|轻度|轻微|有点儿?|都|会|也|就|很|特别|重度|中度)*过敏(?:的|了|史|体质|得很|得厉害)*(?:挺|很|比较)?(?:严重)?的?$"),
         attribute="allergy:", subjects=_KIN, confidence=0.97, many=True),
    Rule(rule="zh.allergy.short", pattern=pattern(r"^(?:有|是)?(?P<v>海鲜|花生|花粉|芒果|牛奶|鸡蛋|坚果|青霉素|头孢|尘螨|酒精|紫外线|虾蟹?|猫毛|狗毛|麸质|大豆|乳制品|[\u4e00-\u9fff]{1,4}?)(?:也|都|会|就|很|特别)*过敏(?:体质|史)?(?:的|了)?$"),
         attribute="allergy:", subjects=_KIN, confidence=0.95, many=True),
    Rule(rule="zh.health", pattern=pattern(rf"^(?:[^，。]{{0,10}}?(?:查出来?了?|检查出来?了?|诊断出来?|确诊了?|得了))?(?:有|得了?|患有?|查出了?|确诊了?|是)?(?:一?点儿?|轻度|重度|轻微|先天性?|严重的?|家族|习惯性|个)*(?P<v>[\u4e00-\u9fffA-Za-z0-9]{{0,10}}?{_ILLNESS})(?P<rest>[^，。]{{0,10}})$"),
         attribute="health:", subjects=_KIN, confidence=0.85, check=lambda v: not re.search(r"毛病|神经病|强迫症$|拖延症|这病|我病|疫苗|看病|生病|关于|的|治病|得病|探病", v)),
    Rule(rule="zh.health.blood", pattern=pattern(r"^(?P<v>血压|血糖|血脂|尿酸|视力|听力|睡眠|胃|肠胃|颈椎|腰|膝盖|心脏|嗓子|皮肤)(?:有点|一直|偏|不太|不|很|特别|比较|常年|不怎么)*(?:高|低|好|差|弱|敏感|疼|痛|不行|过敏)(?:的|了)?$"),
         attribute="health:", subjects=_KIN, confidence=0.8),
    Rule(rule="zh.health.sensitive", pattern=pattern(r"^对(?P<v>[^，。]{1,8}?)(?:特别|比较|很|非常|有点|都|极其)*敏感(?:的)?$"), attribute="health:", subjects=_KIN, confidence=0.82),
    Rule(rule="zh.health.blood_type", pattern=pattern(r"^是(?P<v>(?:A|B|AB|O)型血?)(?:的)?$"), attribute="blood_type", subjects=_KIN),
    Rule(rule="zh.health.eyes", pattern=pattern(r"^(?P<v>近视[^，。]{0,8}度?)$"), attribute="health:", subjects=_KIN),
    Rule(rule="zh.health.surgery", pattern=pattern(r"^(?P<v>[^，。]{0,8}(?:做过|动过|开过)[^，。]{1,12}(?:手术|刀|搭桥|支架))$"), attribute="health:", subjects=_KIN),
    Rule(rule="zh.health.medicine", pattern=pattern(r"^(?:在|正在|长期|每天)吃(?P<v>[^，。]{1,8}(?:药|片|胶囊|激素))$"), attribute="health:", subjects=_KIN),
    Rule(rule="zh.left_handed", pattern=pattern(r"^是?(?P<v>左撇子|右撇子|左利手|色盲|色弱|夜猫子|早起型|社恐|社牛|路痴|近视眼)$"), attribute="trait:", subjects=_ANY),
    # diet
    Rule(rule="zh.diet.left", pattern=pattern(r"^(?:早就|已经|现在)*(?P<neg>不(?:再)?)(?:是|吃)(?P<v>素食主义者|全素|素|纯素)了?$"),
         attribute="diet", category="user_profile", subjects=_KIN, polarity=False, supersedes=True),
    Rule(rule="zh.diet.meat_again", pattern=pattern(r"^(?:又|重新|现在|已经|最近)*(?:开始)?(?:又)?(?:吃(?:肉|荤)|开荤)了$"),
         attribute="diet", constant="素", subjects=_KIN, polarity=False, supersedes=True),
    Rule(rule="zh.diet", pattern=pattern(r"^(?:是|吃|信奉|坚持)(?:个|一个|一名)?(?P<v>素食主义者|素食者?|纯素|全素|蛋奶素|长素|素|清真|生酮|低碳(?:饮食)?|无麸质(?:饮食)?|犹太洁食)(?:的|了[^，。]{0,6})?$"),
         attribute="diet", subjects=_KIN, confidence=0.95),
    # where
    Rule(rule="zh.hometown", pattern=pattern(r"^(?:的)?(?:老家|家乡|籍贯|祖籍|出生地)(?:就)?(?:是|在)?(?P<v>[\u4e00-\u9fff]{2,12}?)(?:的|人|那边)*$"), attribute="hometown", subjects=_ANY, check=_place),
    Rule(rule="zh.hometown.from", pattern=pattern(r"^(?:是|来自)(?:地道的?|土生土长的?|个)?(?P<v>[\u4e00-\u9fff]{2,6}?)人$"), attribute="hometown", subjects=frozenset({SELF}),
         check=lambda v: not re.search(r"男|女|好|坏|老|年轻|成年|当事|负责|申请|同|本$|证|联系|候选|主持|介绍|病|穷|俗|普通|自己|合伙|继承|的|什么|哪", v)),
    Rule(rule="zh.grew_up", pattern=pattern(r"^(?:在|从小在|出生在|生在)(?P<v>[\u4e00-\u9fff]{2,10})(?:出生|长大|土生土长)(?:的)?$"), attribute="hometown", subjects=_ANY),
    Rule(rule="zh.city.moved", pattern=pattern(r"^(?:已经|上个?月|上周|去年|今年|刚|下个?月|最近|年前|下月)*(?:从[^，。]{2,8}?)?(?:搬(?:家)?|调|迁|移居|转)(?:到|去|来|回)了?(?P<v>[\u4e00-\u9fff]{2,14}?)(?:去|住|工作|发展|分公司|办公室|生活)*了?$"),
         attribute="city", subjects=frozenset({SELF, BARE}), supersedes=True, check=_place),
    Rule(rule="zh.city", pattern=pattern(r"^(?:人)?(?:是)?(?:住|居住|定居|常住|长居|坐标|暂住|租住|租房|base|人在|家住)(?:在|于|：)?\s*(?P<v>[\u4e00-\u9fffA-Za-z0-9]{2,24}?)(?:这边|那边|那块|附近|了|的|呢)*$"),
         attribute="city", subjects=_ANY, confidence=0.92, check=_place),
    Rule(rule="zh.city.works", pattern=pattern(rf"^(?:一直|常年|目前|长期|以后|后面)*(?:在|常驻|待|驻)?(?:在)?(?P<v>[\u4e00-\u9fff]{{0,4}}(?:{_CITY_WORD})[\u4e00-\u9fff]{{0,4}}?)(?:那边)?(?:打工|工作|上班|生活|定居|安家|漂着?|常驻|讨生活|谋生|养老|读书|上学|上大学|待着?)(?:[^，。]{{0,3}}年)?(?:了|呢)?$"), attribute="city", subjects=_ANY),
    Rule(rule="zh.employer", pattern=pattern(r"^(?:是)?在(?P<v>[^，。]{2,22}?)(?:上班|工作|任职|就职|当差|打工)(?:了?[^，。]{0,4}年)?(?:的|呢|了)*$"), attribute="employer", subjects=_ANY, confidence=0.9,
         check=lambda v: not re.search(r"^(?:家|外面|这|那|一起|哪)", v)),
    Rule(rule="zh.job.at", pattern=pattern(r"^(?:是)?(?:刚|现在)?在(?P<at>[^，。]{1,20}?)(?:做|当|干|搞|从事|负责|担任|教|带)(?:了[^，。]{0,4}年)?(?:一[名个])?(?P<v>[^，。]{2,14}?)(?:的|工作|这[一]?块儿?|方面|了)*$"),
         attribute="job", subjects=_ANY, confidence=0.93, check=lambda v: not re.search(r"饭|作业|梦|什么|决定|准备|测试一下|回归|实验$|核酸|运动|瑜伽|家务|事$", v)),
    Rule(rule="zh.city.stay", pattern=pattern(r"^(?:是)?(?:一直|在|就|常年|目前|长期)*(?:待在|呆在|留在|待|呆|常驻|驻|漂|混|留)(?:在)?(?P<v>[\u4e00-\u9fff]{2,10}?)(?:打工|工作|生活|定居|安家|漂着?|常驻|这边|讨生活|谋生|养老)?了?$"),
         attribute="city", subjects=_ANY, confidence=0.85, check=lambda v: any(v.startswith(c) or c in v for c in CITIES)),
    Rule(rule="zh.city.at", pattern=pattern(r"^在(?P<v>[\u4e00-\u9fff]{2,10}?)(?:这边)?(?:呢|了)?$"), attribute="city", subjects=frozenset({SELF}), confidence=0.8, check=lambda v: any(v.startswith(c) for c in CITIES)),
    Rule(rule="zh.city.permanent", pattern=pattern(r"^(?P<v>家在[\u4e00-\u9fff]{2,14})$"), attribute="city", subjects=_ANY),
    # work and study
    Rule(rule="zh.employer.moved", pattern=pattern(r"^(?:上个?月|上周|去年|今年|刚|最近|下个?月)*(?:跳槽?|入职|跳到|加入|换到)(?:到|去|了|进)*(?P<v>[\u4e00-\u9fffA-Za-z0-9]{2,14}?)(?:公司|上班|工作)?了?$"),
         attribute="employer", subjects=_ANY, supersedes=True, check=lambda v: not re.search(r"一家|新公司|新的|手续|体检|培训|第", v)),
    Rule(rule="zh.retired", pattern=pattern(r"^(?P<v>退休)(?:了|[^，。]{1,4}年)*(?:多|了)*$"), attribute="job", subjects=frozenset({SELF, FAMILY, BARE})),
    Rule(rule="zh.job", pattern=pattern(rf"^(?:兼职|兼任|业余|兼着?|顺便)?(?:是|当|做|从事|职业是|工作是|干)(?:一[个名位]|个|名|位|了[^，。]{{0,4}}年的?|过)?(?P<v>{_JOBS})(?:的|工作|这?一?行|方面|岗|了)*$"),
         attribute="job", subjects=frozenset({SELF, BARE}), confidence=0.93),
    Rule(rule="zh.job.family", pattern=pattern(rf"^(?:是|当|做)(?:一[个名位]|个|名|位)?(?P<v>{_JOBS})(?:的)?$"),
         attribute="job", subjects=frozenset({FAMILY}), confidence=0.8),
    Rule(rule="zh.job.title", pattern=pattern(rf"^(?P<v>{_JOBS})(?:一枚)?$"), attribute="job", subjects=frozenset({BARE}), confidence=0.85, check=lambda v: len(v) >= 3 or v in {"财务", "会计", "护士"}),
    Rule(rule="zh.job.does", pattern=pattern(r"^(?:是)?(?:做|干|搞|跑)(?P<v>[\u4e00-\u9fffA-Za-z]{2,10})(?:这?一?行)?的$"), attribute="job", subjects=frozenset({SELF, BARE}), check=lambda v: not re.search(r"饭|梦|好|完|出|不|饭菜|菜", v)),
    Rule(rule="zh.job.left", pattern=pattern(rf"^(?P<neg>不(?:再)?|没再)(?:是|做|当|干)(?P<v>{_JOBS})了$"), attribute="job", subjects=_ANY, polarity=False, supersedes=True),
    Rule(rule="zh.job.turned", pattern=pattern(rf"^(?:后来|现在)?转(?:行|岗|型)?(?:去|到)?(?:做|当|成|干)?了?(?P<v>{_JOBS})了?$"), attribute="job", subjects=_ANY),
    Rule(rule="zh.job.duty", pattern=pattern(r"^(?:负责|主管|分管|管)(?P<v>[^，。]{2,14}?)(?:这[一]?块儿?|方面|工作)?的?$"), attribute="role", subjects=_ANY, confidence=0.8, check=lambda v: not re.search(r"我|你|他", v)),
    Rule(rule="zh.job.shop", pattern=pattern(r"^(?:自己)?(?:开|经营|盘|创办|办)(?:了|着|的是)?(?:一?家|一?个|一?间|的)?(?P<v>[^，。]{0,8}(?:店|馆|铺子?|公司|工作室|厂|超市|餐厅|民宿|诊所|工坊))(?:子|的)?$"),
         attribute="job", subjects=_ANY),
    Rule(rule="zh.school", pattern=pattern(r"^(?:在|正在|正)?(?:读|上|念)(?:的是)?(?P<v>研[一二三]|博[一二三四]|大[一二三四]|高[一二三]|初[一二三]|[一二三四五六]年级|幼儿园|小学|中学|高中|大学|本科|研究生|博士|MBA|在职研究生)(?:了|呢)?$"),
         attribute="school", subjects=_KIN, confidence=0.85),
    Rule(rule="zh.major", pattern=pattern(r"^(?:的?(?:专业|方向)是|(?:大学|本科|研究生|硕士)?(?:学|读|念)的(?:是)?|毕业于)(?P<v>[^，。]{2,16}?)(?:专业)?(?:的)?$"), attribute="major", subjects=_ANY, confidence=0.85),
    # people, animals, things
    Rule(rule="zh.relationship", pattern=pattern(r"^(?:还|是|仍|一直|依然|现在|刚|已经|又)*(?P<v>单身(?:狗)?|已婚|离异|离婚|分手|脱单|订婚|有(?:女朋友|男朋友|对象)(?=了)|谈恋爱(?=了))(?:了)?$"), attribute="relationship", subjects=_ANY, confidence=0.85),
    Rule(rule="zh.family.status", pattern=pattern(r"^(?:还|是|仍|一直|依然)*(?P<v>单身(?:狗)?|已婚|未婚|离异|离婚了?|已育|丁克|没(?:有)?(?:结婚|对象|孩子)|独生子女?|(?:已经)?结婚[^，。]{0,6}年?了?)$"), attribute="family", subjects=_ANY, confidence=0.85),
    Rule(rule="zh.family.have", pattern=pattern(r"^(?:有(?:了)?|(?=[俩仨两三]))(?P<v>(?:[一两二三四五俩仨\d]|好几)?(?:个|位|对)?(?:双胞胎|龙凤胎)?(?:孩子|娃|小孩|儿子|女儿|闺女|宝宝|弟弟|妹妹|哥哥|姐姐|孙子|孙女|双胞胎|龙凤胎)[^，。]{0,10})$"), attribute="family", subjects=_ANY),
    Rule(rule="zh.pet.left", pattern=pattern(rf"^(?:早就|已经|现在)*(?P<neg>不|没|没再)(?:再)?养(?P<v>[\u4e00-\u9fff]{{0,4}}?{_PETS})了?$"), attribute="pet:", subjects=_ANY, polarity=False, supersedes=True),
    Rule(rule="zh.pet.name", pattern=pattern(rf"^(?:的)?(?:那只|这只|只)?(?P<a>[\u4e00-\u9fff]{{0,3}}?{_PETS})(?:的?名字)?(?:叫|是叫)(?P<v>[\u4e00-\u9fffA-Za-z]{{1,8}})$"), attribute="pet name", subjects=_ANY),
    Rule(rule="zh.pet", pattern=pattern(rf"^(?:里)?(?:还)?(?:养|有|领养|收养)(?:了|着|过)?(?:[一两二三四五\d]|几)?(?:只|条|个|匹|缸|窝)?(?P<v>[\u4e00-\u9fff]{{0,5}}?{_PETS})(?P<rest>(?:名字)?(?:叫|名叫)?[\u4e00-\u9fffA-Za-z]{{0,8}})$"), attribute="pet:", subjects=frozenset({SELF, BARE, WE})),
    Rule(rule="zh.drives", pattern=pattern(r"^(?:开|骑)(?:的是|着|了)?(?:一?[辆台部])?(?P<v>[^，。]{2,14}?)(?:上下?班|代步|通勤)?(?:的)?$"), attribute="owns:", subjects=_ANY, confidence=0.8,
         check=lambda v: not re.search(r"会|始|玩笑|心|门|灯|空调|单|票|户|药|口|发|源|机|电脑|通|车$|了", v)),
    Rule(rule="zh.replaced", pattern=pattern(r"^把(?P<a>[^，。]{1,8}?)(?:换|升级)成了?(?P<v>[^，。]{1,12}?)(?:的)?了$"), attribute="owns:", subjects=_ANY, confidence=0.78, check=lambda v: not re.search(r"你|它|这|那|第|变量|函数|代码", v)),
    Rule(rule="zh.must", pattern=pattern(r"^(?:都)?(?:一定要|必须得?|非得|必)(?P<v>(?:带|有|喝|吃|穿|戴|听|开着|抱|泡)[^，。]{1,14})$"), kind="procedural", category="preference", attribute="habit:", subjects=_ANY),
    Rule(rule="zh.bought", pattern=pattern(r"^(?:去年|今年|上个?月|刚|前年)*(?:在(?P<at>[\u4e00-\u9fff]{2,8}))?(?:刚|新)?(?:买|换)了?(?:一?[套辆台部个只])?(?P<v>房子?|手机|电脑|新?车|相机|[^，。]{2,12}(?:手机|电脑|车|房|耳机|相机|平板))(?:了)?$"), attribute="owns:", subjects=frozenset({SELF, WE, BARE}), confidence=0.8),
    Rule(rule="zh.height", pattern=pattern(r"^(?:身高|体重|鞋码)(?:是|有)?(?P<v>[^，。]{2,10})$"), attribute="body:", subjects=_ANY, confidence=0.85),
    Rule(rule="zh.shoe", pattern=pattern(r"^穿(?P<v>[^，。]{0,2}\d{2,3}码?(?:的)?(?:鞋|衣服|裤子)?|[SMLX]+码?(?:的)?[^，。]{0,4})$"), attribute="body:", subjects=_ANY),
    Rule(rule="zh.number", pattern=pattern(r"^(?:的)?(?P<a>工号|学号|座位号?|储物柜|柜子|车位|门牌号?|分机号?|会员号|邮编|车牌(?:尾号|号)?|房间号?|微信号?|QQ号?|手机号?|电话|邮箱|地址|护照|签证|驾照)(?:号码?)?(?:是|为|在|：|:)\s*(?P<v>[^，。]{2,30})$"), attribute="{a}", subjects=_ANY, confidence=0.9),
    Rule(rule="zh.religion", pattern=pattern(r"^(?:是|从小)?(?:信|信仰|皈依)(?:了)?(?P<v>佛教?|基督教?|伊斯兰教?|天主教?|道教?|耶稣)(?:的|徒)?$"), attribute="religion", subjects=_KIN),
    Rule(rule="zh.daily", pattern=pattern(r"^(?:早上|晚上|中午|夜里|凌晨|一般|每晚|每早)*(?P<v>(?:[\d一二两三四五六七八九十]{1,3}点(?:半|多|左右|钟)?)[^，。]{0,4}?(?:睡觉?|起床?|上床|休息|下班|上班|吃饭|起来))(?:了|的)?$"), kind="procedural", category="preference", attribute="daily rhythm", subjects=_ANY, confidence=0.82),
    Rule(rule="zh.writes", pattern=pattern(r"^(?:是)?写(?P<v>前端|后端|代码|小说|公众号|文案|脚本|剧本|程序|嵌入式|安卓|iOS)(?:的)?$"), attribute="job", subjects=_ANY),
    Rule(rule="zh.together", pattern=pattern(r"^(?P<v>(?:跟|和|与)[^，。]{1,6}(?:异地|分居|离婚|结婚|领证|订婚|谈恋爱|在一起)[^，。]{0,8})$"), attribute="family", subjects=_ANY),
    Rule(rule="zh.skill.not", pattern=pattern(r"^(?P<neg>不|还不|不太|没学过|一点都?不)(?:太|怎么)?会(?P<v>说[\u4e00-\u9fff]{2,4}|开车|游泳|做饭|骑车|弹[\u4e00-\u9fff]{2,4}|编程|写代码|跳舞|打字|用[\u4e00-\u9fffA-Za-z]{2,10}|英语|日语|粤语|滑雪)$"), attribute="skill:", subjects=_ANY, polarity=False),
    Rule(rule="zh.skill", pattern=pattern(r"^(?:会|能|精通|擅长|懂|熟悉|学过)(?:一?点儿?|说|讲|弹|拉|吹|唱|写|用)*(?P<v>[\u4e00-\u9fffA-Za-z+#]{0,3}(?:语|话|文|琴|吉他|编程|代码|画画|书法|游泳|开车|做饭|烘焙|滑雪|潜水|剪辑|PS|Excel|SQL|舞|笛|二胡|古筝|象棋|围棋)|Python|Java|Go|Rust)(?P<rest>[^，。]{0,10})$"),
         attribute="skill:", subjects=_ANY, confidence=0.85, check=lambda v: not re.search(r"这话|的话|你的|说话$|听话", v)),
    Rule(rule="zh.skill.level", pattern=pattern(r"^(?P<v>(?:英语|英文|中文|日语|日文|法语|德语|韩语|口语|听力|普通话)[^，。]{0,4}(?:[一二三四五六八N]\d?级|水平|不(?:太|怎么)?[行好]|很?[好差]|流利|一般|雅思|托福)[^，。]{0,8})$"), attribute="skill:", subjects=_ANY, confidence=0.8),
    # goals
    Rule(rule="zh.goal.no", pattern=pattern(r"^(?:决定|打算|准备)(?P<neg>不)(?:再)?(?P<v>[^，。]{2,16}?)了?$"), attribute="goal:", subjects=_ANY, polarity=False),
    Rule(rule="zh.goal", pattern=pattern(r"^(?:的)?(?:(?:今年|明年|下半年|长期|人生|最大的?)的?)*(?:目标|梦想|理想|愿望|心愿|计划|flag)(?:就)?是(?P<v>[^，。]{2,30})$"), attribute="goal:", subjects=_ANY),
    Rule(rule="zh.goal.intend", pattern=pattern(r"^(?:打算|计划|决定|立志|发誓|下定决心|争取|准备(?=[^，。]{0,12}(?:考|戒|减|学|换|开始|跳槽|辞职|创业|生|备孕|买|读|申请)))(?:要|在|从|于)?(?P<v>[^，。]{2,30}?)了?$"), attribute="goal:", subjects=_ANY, confidence=0.82,
         check=lambda v: not re.search(r"^(?:了|的|好|先|去吃|吃饭|睡|一下)", v)),
    Rule(rule="zh.goal.working", pattern=pattern(r"^(?:正在?|在|最近在|一直在)(?:准备考?|备考|复习|备战|攒钱?|减肥|健身|备孕|学习?|自学|考)(?P<v>[^，。]{0,16})$"), attribute="goal:", subjects=_ANY, confidence=0.82,
         check=lambda v: not re.search(r"^(?:出门|吃|开会|睡|下班|走)", v)),
    Rule(rule="zh.goal.want", pattern=pattern(r"^(?:想|希望|要)(?:在|用)?(?P<v>(?:今年|明年|[一两二三四五六七八九十半\d]+(?:个月|年|周)(?:内|之内|以内|里))[^，。]{2,20})$"), attribute="goal:", subjects=_ANY, confidence=0.82),
    # preferences
    Rule(rule="zh.seat", pattern=pattern(r"^(?:坐(?:飞机|高铁|火车|车|大巴)|乘机|选座|飞机|高铁|座位)?(?:的时候|时)?(?:我)?(?:都|一般|总是|更|最|比较)*(?:喜欢|爱|偏好|要|习惯|选|坐|prefer)?(?:坐|要|选)?(?P<v>靠窗|靠过道|靠走道|过道|走道|前排|后排|靠前|靠后)(?:的)?(?:座位?|位置?|位子)?(?:的)?$"),
         category="preference", attribute="seat", subjects=_ANY, confidence=0.93),
    Rule(rule="zh.style.answer", pattern=pattern(r"^(?:更)?(?:喜欢|偏好|想要|习惯)(?:看)?(?P<v>(?:简洁|简短|详细|直接|口语化?|分点|有例子|带例子|通俗|专业)[^，。]{0,8}(?:回答|回复|解释|风格|说明|答案))$"), category="preference", attribute="style", subjects=_ANY),
    Rule(rule="zh.likes.rather", pattern=pattern(r"^(?:[^，。]{0,10})?(?:宁愿|宁可|情愿)(?:坐|吃|喝|用|去|选|住|看|听|走)?(?P<v>[^，。]{1,12}?)(?:也|都)不[^，。]{1,12}$"), category="preference", attribute="likes:", subjects=_ANY),
    Rule(rule="zh.likes.than", pattern=pattern(r"^(?:比起|相比于?|跟)(?P<w>[^，。我]{1,10}?)(?:来|相比)?(?:，)?(?:我)?(?:还是)?(?:更|比较)?(?:喜欢|爱|偏爱|想要)(?:吃|喝|用|看|听|玩)?(?P<v>[^，。]{1,12})$"), category="preference", attribute="likes:", subjects=_ANY),
    Rule(rule="zh.tool.handier", pattern=pattern(r"^觉得\s*(?P<v>[A-Za-z][A-Za-z0-9 .+#-]{1,24}?)\s*比\s*[A-Za-z0-9 .+#-]{1,24}\s*(?:更)?(?:顺手|好用|好|方便|舒服|香)$"), category="preference", attribute="tool:", subjects=_ANY),
    Rule(rule="zh.likes.quit", pattern=pattern(r"^(?:早就|已经|现在|最近)*(?:戒|戒掉|戒了)(?P<v>烟酒?|酒|咖啡|糖|奶茶|[\u4e00-\u9fff]{1,4}?)了?$"), category="preference", attribute="likes:", subjects=_ANY, polarity=False, supersedes=True, check=_object),
    Rule(rule="zh.likes.no_more", pattern=pattern(r"^(?P<neg>不(?:再)?)(?:怎么|太)?(?:喜欢|爱|吃|喝|看|玩|用|抽|听|练)(?:吃|喝|看|玩)?(?P<v>[^，。了]{1,12}?)了$"), category="preference", attribute="likes:", subjects=_ANY, polarity=False, supersedes=True, check=_object, many=True),
    Rule(rule="zh.dislikes", pattern=pattern(rf"^(?:[^，。我你他她]{{0,3}})?(?P<neg>{_VERB_NOT}|{_VERB_HATE})(?:吃|喝|看|听|玩|用|坐|去|做|别人)?(?P<v>[^，。]{{1,20}}?){_END}"), category="preference", attribute="likes:", subjects=_ANY, polarity=False, confidence=0.9, many=True,
         check=lambda v: _object(v) and not re.search(r"^(?:惯|完|懂|到|清|来|起|消|亏|上$|下$|太好|出|进|动|明白|准|着|够|关|重|错)", v)),
    Rule(rule="zh.dislikes.topic", pattern=pattern(r"^(?P<v>《[^》]{1,30}》|[^，。我你他她它这那]{1,12}?)(?:这(?:种|个|部|本|东西))?(?:我)?(?:实在|真的|真|一直|是|完全|都|从来|一口|一点)*(?P<neg>不(?:太|怎么|大)?(?:喜欢|爱吃|爱喝|爱看|行|吃|碰|喝|感冒|敢吃)|无感|吃不了|喝不了|受不了)(?:的|了)?$"), category="preference", attribute="likes:", subjects=frozenset({BARE}), polarity=False, confidence=0.85,
         check=lambda v: _object(v) and not re.search(r"还|就|都|也|得|完全|现在|已经|本来|根本|实在|可能|真的|应该|问题|方案|代码|能$|人家|时间|今天|有点|这样|好像|系统|可以|为什么|^(?:太|很|不)", v)),
    Rule(rule="zh.dislikes.toward", pattern=pattern(r"^对(?P<v>[^，。]{1,12}?)(?:完全|一点都?|真的|实在|都|是|毫|从来)*(?P<neg>无感|不感冒|没兴趣|没有兴趣|不感兴趣|没感觉|无爱|提不起兴趣)(?:的|了)?$"), category="preference", attribute="likes:", subjects=_ANY, polarity=False, check=_object),
    Rule(rule="zh.likes.toward", pattern=pattern(r"^对(?P<v>[^，。]{1,12}?)(?:特别|很|非常|挺|比较|一直|超|都|还|越来越|十分|也)*(?:感兴趣|着迷|上瘾|有兴趣|情有独钟)(?:的|了)?$"), category="preference", attribute="likes:", subjects=_ANY, check=_object),
    Rule(rule="zh.free", pattern=pattern(r"^(?:只|就|一般|通常)*(?:有)?(?P<v>(?:工作日|平时|周[一二三四五六日末]|周末|早上|上午|中午|下午|晚上|[^，。]{0,6}点[以之]?[前后])[^，。]{0,6}(?:才|都|一般)?(?:有空|有时间|方便|不在|没空|休息|在家))$"), kind="procedural", category="task_progress", attribute="schedule:availability", subjects=_ANY, confidence=0.82),
    Rule(rule="zh.likes.topic", pattern=pattern(r"^(?P<v>[^，。我你他她它这那]{1,10}?)(?:可以|没问题|能吃|能接受|我爱吃|我喜欢|行)$"), category="preference", attribute="likes:", subjects=frozenset({BARE}), confidence=0.7,
         check=lambda v: bool(re.search(r"菜|葱|蒜|姜|肉|奶|鱼|虾|蛋|茶|咖啡|酒|辣|糖|果|豆|米|面$", v)) and len(v) <= 4),
    Rule(rule="zh.likes.fearless", pattern=pattern(r"^(?P<v>无辣不欢|怕热|怕冷|怕高|恐高|晕车|晕船|社恐|认床|路痴|脸盲|怕黑|怕水|怕打雷)(?:得很|的)?$"), category="user_profile", attribute="trait:", subjects=_KIN),
    Rule(rule="zh.likes.only", pattern=pattern(r"^(?:[^，。我]{0,6}?)(?:只|就|基本只|一般只)(?:吃|喝|听|看|用|坐|买|穿|要|住|认|选|去|玩)(?P<v>[^，。]{1,16}?)(?:的)?$"), category="preference", attribute="likes:", subjects=_ANY, check=lambda v: _object(v) and not re.search(r"^(?:过|了|到|完|几|一[次个下半])", v)),
    Rule(rule="zh.likes.favourite", pattern=pattern(r"^(?:的)?(?:最)?(?:喜欢|爱|欣赏|崇拜|喜爱|心爱)(?:看|听|吃|喝|玩)?的(?P<a>[\u4e00-\u9fff]{1,6}?)(?:就)?是(?P<v>[^，。]{1,16})$"), category="preference", attribute="favourite {a}", subjects=_ANY),
    Rule(rule="zh.likes.hobby", pattern=pattern(r"^(?:的)?(?:业余|最大的?|唯一的?)?(?:爱好|兴趣|嗜好)(?:就)?(?:是|有|包括)?(?P<v>(?!和|跟|与|的)[^，。]{2,20})$"), category="preference", attribute="likes:", subjects=_ANY, many=True),
    Rule(rule="zh.likes.taste", pattern=pattern(r"^(?:吃东西)?(?:的)?口味(?:比较|偏|很|是|挺|要)*(?P<v>清淡|淡|重|咸|甜|辣)(?:一?点)?的?$"), category="preference", attribute="taste", subjects=_ANY),
    Rule(rule="zh.likes.night", pattern=pattern(r"^(?:住酒店|住店|出差|旅游|旅行|吃饭|打车|坐车|买衣服|看电影|跑步|听歌)(?:的话|的时候|时)?(?:我)?(?:都|一般|总|基本|喜欢)*(?:要|选|是|喜欢|偏好|住)(?P<v>[^，。]{2,14})$"), category="preference", attribute="likes:", subjects=_ANY, confidence=0.82),
    Rule(rule="zh.likes.habit", pattern=pattern(r"^(?:更|比较|还是|都|一向)*(?:习惯|习惯了)(?:用|于)?(?P<v>[^，。]{2,20})$"), kind="procedural", category="preference", attribute="habit:", subjects=_ANY, check=_thing),
    Rule(rule="zh.likes.still", pattern=pattern(rf"^(?:还是|现在|开始|一直|尤其|对[^，。]{{1,6}})*(?:更|最|特别|比较)*{_VERB_LIKE}(?:吃|喝|看|听|玩|用|去|逛|做|上)?\s*(?P<v>[^，。]{{1,22}}?){_END}"), category="preference", attribute="likes:", subjects=_ANY, confidence=0.9, many=True, check=_object),
    Rule(rule="zh.habit.often", pattern=pattern(r"^(?:常常?|经常)(?P<v>(?:吃|喝|去|玩|打|练|跑|逛|熬|加|做)[\u4e00-\u9fff]{1,10})$"), kind="procedural", category="preference", attribute="habit:", subjects=_ANY, confidence=0.82, check=lambda v: not re.search(r"你|他|她|它|这|那|不|错|问题|报|什么|去了|过$|了$|梦", v)),
    Rule(rule="zh.likes.stay_home", pattern=pattern(r"^(?:周末|没事|闲着|平时|放假|睡前)(?:的时候|都|一般|就|经常|喜欢|会|常|总)+(?:去)?(?P<v>[^，。]{2,16})$"), kind="procedural", category="preference", attribute="habit:", subjects=frozenset({SELF}), confidence=0.75),
    # tools, units, languages
    Rule(rule="zh.programming", pattern=pattern(rf"^(?:主要|平时|一直|日常)*(?:写|用|搞|做)\s*(?P<v>{PROGRAMMING})(?:语言|开发|后端|写代码|编程|多?一?些?)*(?:的)?$"), category="preference", attribute="programming_language", subjects=_ANY),
    Rule(rule="zh.tool.always", pattern=pattern(r"^(?:平时|一直|主要|一般|日常|习惯|基本|手机|电脑|键盘|笔记本|写代码|做笔记)*(?:用|使用|在用|用的)(?:的是|的|着|惯了?)?(?:一?[台部个])?\s*(?P<v>[A-Za-z][A-Za-z0-9 .+#\-]{1,24}|安卓|苹果|华为|小米|飞书|钉钉|微信|深色主题|浅色主题|五笔|双拼|[\u4e00-\u9fff]{2,5}(?:输入法|手机|电脑|编辑器|浏览器))(?:手机|系统|写代码|办公|沟通|记账|记笔记)?(?:的)?$"), category="preference", attribute="tool:", subjects=_ANY, confidence=0.82),
    # our group
    Rule(rule="zh.we.decided", pattern=pattern(r"^(?:[^，。]{0,8})?(?:决定|定了|敲定|商定|拍板|说好了?|约好了?|达成一致|选定|最终选|最后选|统一|采用|改用|规定)(?:把|用|了|采用|要)*\s*(?P<v>[^，。]{2,30})$"), category="domain_knowledge", subjects=frozenset({WE}), confidence=0.82),
    Rule(rule="zh.we.tool", pattern=pattern(r"^(?:team|组|团队|公司|项目|部门|后端|前端)*(?:里|都|内部|现在|一直|主要|是|全)*用(?:的是|的)?\s*(?P<v>[A-Za-z][A-Za-z0-9 .+#\-和、,/]{1,40}|[\u4e00-\u9fff]{2,6}?)(?:来)?(?:沟通|办公|管理|协作|开发|做|记录|写|的)?(?P<rest>[^，。]{0,8})$"), category="domain_knowledge", attribute="tool:", subjects=frozenset({WE}), confidence=0.8, check=lambda v: _object(v) and not re.search(r"^(?:了|不|来|户)", v)),
    Rule(rule="zh.we.rule", pattern=pattern(r"^(?P<v>[^，。]{0,24}(?:必须|一律|都要|统一|先[^，。]{1,12}再|不允许|不准|规定|标准是|流程是|要走|得走|上限|限额|要[^，。]{1,8}签字)[^，。]{1,30})$"), category="domain_knowledge", subjects=frozenset({WE}), confidence=0.8),
    Rule(rule="zh.we.head_count", pattern=pattern(r"^(?:组|团队|公司|部门|家|店|项目组?)?(?:里|一共|总共|有|就)*(?P<v>[一两二三四五六七八九十百\d]+(?:多)?(?:个|号|口)人)$"), category="domain_knowledge", subjects=frozenset({WE}), confidence=0.75),
    Rule(rule="zh.we.place", pattern=pattern(r"^(?P<v>(?:仓库|办公室|公司|总部|工厂|门店|家|店|机房|服务器)(?:在|设在|搬到|位于)[^，。]{2,16})$"), category="domain_knowledge", subjects=frozenset({WE}), confidence=0.85),
    Rule(rule="zh.we.where", pattern=pattern(r"^(?P<v>[^，。]{1,12}在[^，。]{1,10}(?:楼|层|室|区|路|号|库|栋|抽屉|柜子?))$"), category="domain_knowledge", subjects=frozenset({WE}), confidence=0.8),
    Rule(rule="zh.we.home", pattern=pattern(r"^(?:家)?(?P<v>住[^，。]{1,16})$"), subjects=frozenset({WE, SELF}), confidence=0.75, check=lambda v: not re.search(r"^住(?:了|手|嘴|院|口|宿$)", v)),
    # anything else about oneself
    Rule(rule="zh.self.scared", pattern=pattern(r"^(?:有点|从小)?(?P<v>怕(?:热|冷|高|黑|水|辣|狗|猫|虫子?|打雷|坐飞机))(?:的)?$"), attribute="trait:", subjects=_KIN),
    Rule(rule="zh.self.is", pattern=pattern(r"^(?:其实)?是(?:个|一个|一名|一位)?(?P<v>[^，。]{2,16}?)(?:的|啦|哈|呀)*$"), attribute="trait:", subjects=frozenset({SELF}), confidence=0.78, check=_being),
    Rule(rule="zh.self.live_with", pattern=pattern(r"^(?P<v>(?:和|跟|与)[^，。]{1,8}(?:住|同居|合租|一起住)[^，。]{0,4})$"), attribute="household", subjects=_KIN),
    Rule(rule="zh.self.commute", pattern=pattern(r"^(?P<v>(?:骑|坐|开|走)[^，。]{1,8}(?:上下?班|通勤|上学|去公司)|(?:上下?班|通勤|上学)(?:都|一般|基本|主要|就)*(?:骑|坐|开|走|挤|靠)(?!它)[^，。]{1,10})[^，。]{0,4}$"), attribute="commute", subjects=_ANY, confidence=0.82),
    Rule(rule="zh.self.weekend", pattern=pattern(r"^(?:睡前|起床后|饭后|早上|晚上|中午|周末)(?:一般|都|会|要|先|习惯|喜欢)*(?P<v>(?:看|喝|吃|跑|练|写|听|处理|冥想|散步|遛)[^，。]{1,14})$"), kind="procedural", category="preference", attribute="habit:", subjects=frozenset({SELF}), confidence=0.78),
    Rule(rule="zh.self.method", pattern=pattern(r"^(?P<v>(?:写|做|看|读|学|干|处理)[^，。]{1,8}(?:一般|都|通常|总是|习惯)?(?:会|是)?先[^，。]{1,12}(?:再|后|然后)[^，。]{1,12})$"), kind="procedural", category="preference", attribute="habit:", subjects=_OURS, confidence=0.8),
    Rule(rule="zh.self.durable", pattern=pattern(rf"^(?P<v>(?=[^，。]*(?:{_LASTING}))(?:[^，。我你他]{{0,10}}?)(?:{_LIFE_VERBS})[^，。]{{1,18}})$"), kind="semantic", category="user_profile", attribute=None, subjects=frozenset({SELF}), confidence=0.72, check=lambda v: not _SESSION.search(v)),
)  # fmt: skip

FACTS = table(
    Rule(rule="zh.fact.changed", pattern=pattern(rf"^(?P<t>[^，。我你他]{{1,10}}?)(?:改|换|换成|改成|改用|换用)(?:用|成)?\s*(?P<v>{PROGRAMMING})(?:写|开发)?了?$"), category="preference", attribute="programming_language", confidence=0.9),
    Rule(rule="zh.fact.decided", pattern=pattern(r"^(?P<a>[^，。我你他]{2,14}?)(?:最后|最终|已经|就)*(?:定了|选了?|定为|定的是|改为|改用|换成|确定用|采用|选用|敲定)(?:用|为)?\s*(?P<v>[A-Za-z0-9\u4e00-\u9fff][^，。]{1,24}?)(?:了)?$"), category="domain_knowledge", attribute="{a}", confidence=0.82),
    Rule(rule="zh.fact.unified", pattern=pattern(rf"^(?P<t>[^，。我你他]{{1,10}}?)(?:都|统一|一律|默认|全部|以后|现在|要)+用\s*(?P<v>{PROGRAMMING}|[A-Za-z][A-Za-z0-9 .+#\-]{{1,20}})(?:写|开发|语言|了|来写|吧)*$"), category="preference", attribute="tool:", confidence=0.9),
    Rule(rule="zh.fact.number", pattern=pattern(r"^(?P<a>[^，。我你他她]{0,8}(?:端口|IP|域名|版本|代号|账期|对账日|结账日|发薪日|标准|流程|规定|限额|上限|阈值|服务器|环境|接口|预算|报价|截止|税率|户名|名称|Wi-?Fi名?|WiFi|密级|编号|网址|缩写|全称|简称)[^，。]{0,6}?)(?:是|为|在|叫|用|等于|：|:)\s*(?P<v>[^，。]{1,30})$"), category="domain_knowledge", attribute="{a}", confidence=0.88),
    Rule(rule="zh.fact.regulation", pattern=pattern(r"^(?:公司|部门|单位|学校|财务|集团|行政|领导)(?:里|这边)?(?:统一)?(?:规定|要求|制度|政策)(?:是)?(?P<v>[^，。]{3,40})$"), category="domain_knowledge", confidence=0.85),
    Rule(rule="zh.fact.outward", pattern=pattern(r"^(?P<v>对外(?:统一)?(?:叫|称|用)[^，。]{2,20})$"), category="domain_knowledge", confidence=0.85),
    Rule(rule="zh.fact.over", pattern=pattern(r"^(?P<v>[^，。我你他]{2,8}(?:超过|满|达到|低于|大于)[^，。]{1,10}(?:要|需要|得|必须|就要|都要)[^，。]{2,14})$"), category="domain_knowledge", confidence=0.82),
)  # fmt: skip

WAYS = table(
    Rule(rule="zh.way.language", pattern=pattern(rf"^(?!.*(?:代码|注释|邮件|文档|报告|周报|PPT|标题|提交|变量)).{{0,12}}?(?:用|说|讲|写)(?P<v>{NATURAL_LANGUAGES})(?:来)?(?:回复|回答|交流|沟通|写|说|跟我)?[^，。]{{0,14}}$"), category="preference", attribute="language", confidence=0.95),
    Rule(rule="zh.way.units", pattern=pattern(rf"^.{{0,14}}?(?:用|按|以)(?P<v>{UNITS})(?:[^，。]{{0,8}})$"), category="preference", attribute="units", confidence=0.93),
    Rule(rule="zh.way.no_code", pattern=pattern(rf"^.{{0,8}}?(?P<neg>别|不要|不用|别再|不许|禁止)(?:再|给我|用|出现|写|看)*\s*(?P<v>{PROGRAMMING})\s*(?:了|语言|的?(?:示例|代码|例子|实现))*了?$"), category="preference", attribute="programming_language", polarity=False, confidence=0.93),
    Rule(rule="zh.way.code", pattern=pattern(rf"^(?P<t>[^，。]{{0,12}}?)(?:给我的|的)?(?:示例|代码|例子)?(?:都|统一|一律|默认|全部|以后|全|就|只)*(?:用|使用|写|改用|改成|换成)\s*(?P<v>{PROGRAMMING})(?:语言|写|开发|实现|了|来写|吧)*$"), category="preference", attribute="programming_language", confidence=0.93),
    Rule(rule="zh.way.contact.no", pattern=pattern(r"^(?:.{0,10}?)(?P<neg>别|不要|不可以|不能|不许|不准|请勿|勿|别再)(?:再)?(?:给我|跟我)?(?:发|打|用|通过)?(?P<v>短信|电话|微信|邮件|语音|视频|广告|推送|消息)(?:联系|找|打扰)?(?:我)?$"), category="preference", attribute="contact:", polarity=False, confidence=0.92),
    Rule(rule="zh.way.contact", pattern=pattern(r"^(?:.{0,6}?)(?:可以|能|请|只|都|最好|尽量|有事)+(?:给我|跟我)?(?:发|打|用|通过)(?P<v>短信|电话|微信|邮件|语音)(?:联系|找)?(?:我)?$"), category="preference", attribute="contact:", confidence=0.9),
    Rule(rule="zh.way.contact.enough", pattern=pattern(r"^(?P<v>短信|电话|微信|邮件|语音)(?:就)?(?P<neg>算了|免了|不要|别打|别发|不行)$"), category="preference", attribute="contact:", polarity=False),
    Rule(rule="zh.way.contact.when", pattern=pattern(r"^(?P<v>.{0,10}(?:点|上午|晚上|周末|早上|中午|下班)(?:钟)?(?:以?[后前]|之前|之后)?.{0,4}(?:别|不要|勿)(?:再)?(?:联系|找|打扰|给我打电话|给我发|约|call|安排).{0,6})$"), category="preference", attribute="contact_time", polarity=False, confidence=0.9),
    Rule(rule="zh.way.recommend.no", pattern=pattern(r"^.{0,10}?(?P<neg>别|不要|别再|不用)(?:再)?(?:给我)?推荐(?P<v>[^，。]{1,12}?)了?$"), category="preference", attribute="likes:", polarity=False),
    Rule(rule="zh.way.ads", pattern=pattern(r"^(?:我)?(?P<neg>不想|别|不要)(?:再|给我)*(?:收到?|发|推|看到?)(?P<v>[^，。]{1,16}(?:广告|推销|推送|通知|短信|邮件))(?:了)?$"), category="preference", attribute="likes:", polarity=False),
    Rule(rule="zh.way.tool", pattern=pattern(r"^.{0,10}?(?:默认|统一|一律|都|以后)+(?:给我|用|按|导出成?|存成?)(?:成)?(?P<v>[A-Za-z][A-Za-z0-9.+#]{1,10})(?:格式|文件|写|做)?$"), category="preference", attribute="tool:", confidence=0.88),
)  # fmt: skip
