from memory.postings import Posting, Statistics, bm25, weights

STATISTICS = Statistics(documents=100, length=1000)


def test_a_rare_word_counts_more_than_a_frequent_one() -> None:
    found = [Posting("rare", "a", 1, 10), *(Posting("often", f"b{i}", 1, 10) for i in range(50))]
    scores, _ = bm25(weights("rare often"), found, STATISTICS)
    assert scores["a"] > scores["b1"]


def test_no_score_exceeds_the_best_possible_by_more_than_repetition() -> None:
    scores, best = bm25(weights("whale"), [Posting("whale", "a", 1, 1)], STATISTICS)
    assert 0 < scores["a"] <= best * 1.01


def test_sharing_only_a_common_word_covers_little() -> None:
    asked = weights("which heirloom went missing last week")
    scores, best = bm25(asked, [Posting("week", "a", 1, 8), Posting("last", "a", 1, 8)], STATISTICS)
    assert scores["a"] < 0.2 * best


def test_single_characters_count_little_beside_words() -> None:
    asked = weights("蓝鲸")
    assert asked["蓝"].held < 0.2 * asked["蓝鲸"].held
    assert weights("鲸")["鲸"].held == 1
