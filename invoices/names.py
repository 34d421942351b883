"""Names of companies and persons, made comparable."""

import re
from functools import lru_cache

from invoices.identity import narrow

_LETTERS = re.compile(r"[\s()（）\[\]【】.,，。·'\"]")
_HAN = re.compile(r"[一-鿿·]{2,4}")
_BODIES = re.compile(
    "公司|集团|中心|银行|大学|学院|学校|医院|协会|商会|政府|委员会|合作社|[店厂院所局部会社行馆铺队站处厅库]$"
)
_PERSON_WORD = re.compile(r"个人|個人")
_TRADITIONAL = str.maketrans(
    "臺國務業電體東廣華資訊術貿設備遠龍鋼鐵銀運輸聯網絡絲綢飲飯館樓寶島灣濱縣鎮鄉區園藝養雞魚馬鳥車輛機構築裝飾傳媒廳舊舍醫藥療"
    "學習書報紙筆畫圖書館際個責權顧問總經濟發達進豐榮興號產創辦錢財稅檢測試驗織紡縫製衛環節練導師開關門戶買賣購銷價質線纜燈"
    "電視頻錄樂團隊優點們來對應實現場陽陰陸長張劉陳楊黃趙吳孫魯馮鄧蕭葉閻韓譚鄒鐘薩蘇萬億兩雙單連鎖專賢義禮節儉愛親協會員",
    "台国务业电体东广华资讯术贸设备远龙钢铁银运输联网络丝绸饮饭馆楼宝岛湾滨县镇乡区园艺养鸡鱼马鸟车辆机构筑装饰传媒厅旧舍医药疗"
    "学习书报纸笔画图书馆际个责权顾问总经济发达进丰荣兴号产创办钱财税检测试验织纺缝制卫环节练导师开关门户买卖购销价质线缆灯"
    "电视频录乐团队优点们来对应实现场阳阴陆长张刘陈杨黄赵吴孙鲁冯邓萧叶阎韩谭邹钟萨苏万亿两双单连锁专贤义礼节俭爱亲协会员",
)


@lru_cache(maxsize=16384)
def normal_name(name: str) -> str:
    """A name for comparing: width, case, brackets, blanks and traditional characters in it don't matter."""
    return _LETTERS.sub("", narrow(name)).translate(_TRADITIONAL).casefold()


def is_person(name: str) -> bool:
    """Whether a Chinese invoice's party is a private person: 个人, or two to four characters that name no body."""
    if _PERSON_WORD.search(name):
        return True
    return bool(_HAN.fullmatch(name.strip())) and not _BODIES.search(name)
