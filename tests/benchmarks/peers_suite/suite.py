"""The programs of the suite: their field, their size on a card and on a small machine."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from tests.benchmarks.peers_suite import finance_imaging, signals_learning, simulation
from tests.benchmarks.peers_suite.data import Program

FOLDER = Path(__file__).parent / "programs"


@dataclass(frozen=True, slots=True)
class Entry:
    """One program.

    Attributes:
        name: of the ``.m`` file and of the function in torch.
        field: what people use it for.
        n: the size on a card.
        small: the size on two cores.
        tolerance: how far the results may be apart, relative: random draws differ.
    """

    name: str
    field: str
    n: int
    small: int
    tolerance: float = 1e-3

    @property
    def text(self) -> tuple[str, str]:
        """What makes the data, and the work, of the ``.m`` program."""
        setup, _, work = (FOLDER / f"{self.name}.m").read_text("utf-8").partition("%% Work\n")
        return setup, work

    @property
    def torch(self) -> Program:
        """The same in torch."""
        modules = (finance_imaging, signals_learning, simulation)
        return next(vars(m)[self.name] for m in modules if self.name in vars(m))


SUITE = (
    Entry("black_scholes", "finance", 50_000_000, 100_000),
    Entry("asian_option", "finance", 5_000_000, 50_000, 5e-2),
    Entry("drawdown", "finance", 16_384, 128),
    Entry("portfolio", "finance", 65_536, 1_000),
    Entry("bond_yields", "finance", 10_000_000, 20_000),
    Entry("edges", "imaging", 8_192, 256),
    Entry("blur", "imaging", 4_096, 256),
    Entry("equalise", "imaging", 8_192, 256),
    Entry("fourier_filter", "imaging", 4_096, 256),
    Entry("rotate", "imaging", 4_096, 256),
    Entry("normalise", "imaging", 64, 2),
    Entry("filter_bank", "signals", 1_000_000, 4_000),
    Entry("biquads", "signals", 1_000_000, 4_000),
    Entry("spectrogram", "signals", 65_536, 256),
    Entry("correlate", "signals", 1 << 23, 1 << 15),
    Entry("moving_rms", "signals", 100_000_000, 100_000),
    Entry("peaks", "signals", 100_000_000, 100_000),
    Entry("k_means", "learning", 1_000_000, 10_000),
    Entry("nearest", "learning", 65_536, 512),
    Entry("logistic", "learning", 1_000_000, 4_000),
    Entry("pca", "learning", 1_000_000, 4_000, 1e-2),
    Entry("softmax", "learning", 65_536, 256),
    Entry("layer_norm", "learning", 32_768, 128),
    Entry("mixture", "statistics", 1_000_000, 10_000),
    Entry("correlation", "statistics", 500_000, 2_000, 1e-2),
    Entry("row_medians", "statistics", 8_192, 64),
    Entry("bootstrap", "statistics", 1_000_000, 10_000, 2e-2),
    Entry("outliers", "statistics", 100_000_000, 100_000),
    Entry("expression", "statistics", 200_000, 1_000),
    Entry("heat", "equations", 4_096, 128),
    Entry("wave", "equations", 4_096, 128),
    Entry("jacobi", "equations", 2_048, 96),
    Entry("gray_scott", "equations", 4_096, 128),
    Entry("upwind", "equations", 10_000_000, 20_000),
    Entry("lorenz", "equations", 1_000_000, 2_000, 1e-2),
    Entry("gravity", "particles", 16_384, 512),
    Entry("lennard_jones", "particles", 16_384, 512),
    Entry("pair_kernel", "particles", 16_384, 512, 1e-2),
    Entry("rosenbrock", "optimisation", 2_000_000, 5_000),
    Entry("power_iteration", "optimisation", 200_000, 1_000),
    Entry("lasso", "optimisation", 100_000, 1_000),
    Entry("bisection", "optimisation", 20_000_000, 50_000),
    Entry("floyd_warshall", "biology", 1_024, 96),
    Entry("epidemic", "biology", 2_000_000, 5_000),
    Entry("neurons", "biology", 1_000_000, 5_000),
    Entry("k_mers", "biology", 50_000_000, 100_000),
    Entry("life", "biology", 4_096, 128),
    Entry("mandelbrot", "biology", 4_096, 128),
)
