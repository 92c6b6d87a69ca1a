"""rivals.py SEEDS SHARE,SHARE,… SCORE,SCORE,… RESULTS...: random, Sobol, TPE and TPE with Hyperband on the tables that
`retake-bench search` uses, with the same budget in settings × frames. One line of JSON for each.

Needs optuna and scipy. A trial of TPE, random and Sobol is a setting on all frames; one of Hyperband is
pruned on more and more frames, spread by the golden ratio. Warm-up frames are not charged to rivals.
"""
import json
import sqlite3
import sys
import warnings

import numpy
import optuna
from scipy.stats import qmc

optuna.logging.set_verbosity(optuna.logging.ERROR)
warnings.filterwarnings("ignore")
HIGHER = {"iou", "boundary-f", "boundary-precision", "boundary-recall", "edge-alignment", "edge-contrast", "face-coverage"}


def number(value):
    if isinstance(value, (int, float)):
        return float(value)
    top, _, bottom = value.partition("/")
    try:
        return float(top) / float(bottom or 1)
    except ValueError:
        return None


class Table:
    def __init__(self, path):
        database = sqlite3.connect(path)
        self.scores = [row[0] for row in database.execute("SELECT name FROM score ORDER BY position")]
        self.names = [row[0] for row in database.execute("SELECT name FROM tried ORDER BY position")]
        columns = ", ".join(f'"{name}"' for name in self.names)
        rows = database.execute(f"SELECT setting, {columns} FROM tried_value ORDER BY setting").fetchall()
        self.levels = [list(dict.fromkeys(row[i + 1] for row in rows)) for i in range(len(self.names))]
        self.ordered = [all(number(value) is not None for value in levels) for levels in self.levels]
        for levels, ordered in zip(self.levels, self.ordered):
            if ordered:
                levels.sort(key=number)
        self.settings = {tuple(self.levels[i].index(v) for i, v in enumerate(row[1:])): row[0] for row in rows}
        counts = dict(database.execute("SELECT recording, max(position) + 1 FROM frame_score GROUP BY recording"))
        self.starts = numpy.cumsum([0] + [counts[r] for r in sorted(counts)])
        self.values = numpy.full((len(rows), self.starts[-1], len(self.scores)), numpy.nan)
        columns = ", ".join(f'"{name}"' for name in self.scores)
        for row in database.execute(f"SELECT setting, recording, position, {columns} FROM frame_score"):
            self.values[row[0], self.starts[row[1]] + row[2]] = [numpy.nan if v is None else v for v in row[3:]]

    def means(self, score):
        """The mean over recordings of the means over frames, higher is better."""
        column = self.values[:, :, self.scores.index(score)]
        parts = [numpy.nanmean(column[:, a:b], axis=1) for a, b in zip(self.starts, self.starts[1:])]
        return numpy.mean(parts, axis=0) * (1 if score in HIGHER else -1)


def suggest(trial, table):
    point = []
    for name, levels, ordered in zip(table.names, table.levels, table.ordered):
        if ordered:
            point.append(trial.suggest_int(name, 0, len(levels) - 1))
        else:
            point.append(trial.suggest_categorical(name, list(range(len(levels)))))
    return tuple(point)


def draw(table, means, count, seed):
    numbers = numpy.random.default_rng(seed).choice(len(means), min(count, len(means)), replace=False)
    return max(means[numbers])


def sobol(table, means, count, seed):
    sampler = qmc.Sobol(len(table.levels), seed=seed)
    seen = {}
    while len(seen) < min(count, len(means)):
        for row in sampler.random(64):
            point = tuple(int(x * len(levels)) for x, levels in zip(row, table.levels))
            if len(seen) < count and point in table.settings:
                seen.setdefault(point, table.settings[point])
    return max(means[list(seen.values())])


def tpe(table, means, count, seed):
    study = optuna.create_study(direction="maximize", sampler=optuna.samplers.TPESampler(seed=seed, multivariate=True))
    seen = {}
    # A setting asked for again costs nothing; an end to asking is needed all the same.
    for _ in range(4 * count):
        trial = study.ask()
        number = table.settings[suggest(trial, table)]
        seen[number] = means[number]
        study.tell(trial, seen[number])
        if len(seen) >= count:
            break
    return max(seen.values())


def hyperband(table, means, budget, seed, score):
    frames = table.values.shape[1]
    order = numpy.argsort([(k * 0.6180339887498949) % 1 for k in range(frames)])
    column = table.values[:, order, table.scores.index(score)] * (1 if score in HIGHER else -1)
    pruner = optuna.pruners.HyperbandPruner(min_resource=max(1, frames // 64), max_resource=frames, reduction_factor=4)
    study = optuna.create_study(
        direction="maximize", sampler=optuna.samplers.TPESampler(seed=seed, multivariate=True), pruner=pruner, study_name="s")
    known = {}
    spent, best = 0, -numpy.inf
    rungs = sorted({min(frames, max(1, frames // 64) * 4**k) for k in range(8)} | {frames})
    for _ in range(20000):
        if spent >= budget:
            break
        trial = study.ask()
        number = table.settings[suggest(trial, table)]
        pruned = False
        for rung in rungs:
            new = max(0, rung - known.get(number, 0))
            if spent + new > budget:
                spent, pruned = budget, True
                break
            spent += new
            known[number] = max(known.get(number, 0), rung)
            value = float(numpy.nanmean(column[number, :rung])) if not numpy.all(numpy.isnan(column[number, :rung])) else -1e9
            trial.report(value, rung)
            if rung < frames and trial.should_prune():
                pruned = True
                break
        if pruned:
            study.tell(trial, state=optuna.trial.TrialState.PRUNED)
        else:
            study.tell(trial, float(means[number]))
            best = max(best, means[number])
    return best


def main():
    seeds, shares = int(sys.argv[1]), [float(word) for word in sys.argv[2].split(",")]
    scores = sys.argv[3].split(",")
    for path in sys.argv[4:]:
        table = Table(path)
        for score in (score for score in table.scores if score in scores):
            means = table.means(score)
            best = max(means)
            for share in shares:
                budget = len(means) * table.values.shape[1] * share / 100
                count = max(1, int(len(means) * share / 100))
                methods = {
                    "random": lambda seed: draw(table, means, count, seed),
                    "sobol": lambda seed: sobol(table, means, count, seed),
                    "tpe": lambda seed: tpe(table, means, count, seed),
                    "hyperband": lambda seed: hyperband(table, means, budget, seed, score),
                }
                for name, method in methods.items():
                    regrets = sorted(float(abs(method(seed) - best) / max(abs(best), 1e-12)) for seed in range(seeds))
                    print(json.dumps({
                        "table": path, "score": score, "share": share, "method": name, "seeds": seeds,
                        "within": int(sum(regret <= 0.01 for regret in regrets)), "median_regret": regrets[len(regrets) // 2],
                        "worst_regret": regrets[-1],
                    }), flush=True)


main()
