"""The options of the solvers: their names in both generations, and their defaults by algorithm."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TypeAlias

from app.engine.values import EMPTY, Value

Options: TypeAlias = Mapping[str, Value]

NEW_NAMES = {
    "MaxIterations": "MaxIter",
    "MaxFunctionEvaluations": "MaxFunEvals",
    "FunctionTolerance": "TolFun",
    "OptimalityTolerance": "TolFun",
    "StepTolerance": "TolX",
    "ConstraintTolerance": "TolCon",
    "SpecifyObjectiveGradient": "GradObj",
    "SpecifyConstraintGradient": "GradConstr",
    "CheckGradients": "DerivativeCheck",
    "PlotFcn": "PlotFcns",
}
"""The names of ``optimoptions`` and those of ``optimset``."""

OLDER_NAMES = {
    **{
        old: tuple(n for n, o in NEW_NAMES.items() if o == old)
        for old in dict.fromkeys(NEW_NAMES.values())
    },
    "Jacobian": ("SpecifyObjectiveGradient",),
    "FinDiffType": ("FiniteDifferenceType",),
    "FinDiffRelStep": ("FiniteDifferenceStepSize",),
    "HessFcn": ("HessianFcn",),
    "HessMult": ("HessianMultiplyFcn",),
    "JacobMult": ("JacobianMultiplyFcn",),
    "OutputFcns": ("OutputFcn",),
    "TolInteger": ("IntegerTolerance",),
    "Generations": ("MaxGenerations",),
    "StallGenLimit": ("MaxStallGenerations",),
    "InitialPopulation": ("InitialPopulationMatrix",),
    "TolMesh": ("MeshTolerance",),
    "TimeLimit": ("MaxTime",),
}
"""What ``optimoptions`` calls an option that has an older name, by that name."""

CHOICES = {
    "Display": "off none iter iter-detailed final final-detailed notify notify-detailed diagnose",
    "FiniteDifferenceType": "forward central",
    "BarrierParamUpdate": "monotone predictor-corrector",
    "SubproblemAlgorithm": "factorization cg",
    "Diagnostics": "off on",
    "LinearSolver": "auto sparse dense augmented normal normal-dense prodchol schur",
}
"""The words of options that take one of a few."""

_N = "100*numberOfVariables"
_DERIVATIVES: Options = {
    "CheckGradients": False,
    "FiniteDifferenceStepSize": "sqrt(eps)",
    "FiniteDifferenceType": "forward",
    "SpecifyObjectiveGradient": False,
    "TypicalX": "ones(numberOfVariables,1)",
    "UseParallel": False,
}
_WATCHED: Options = {"Display": "final", "OutputFcn": EMPTY, "PlotFcn": EMPTY}
_LIMITS: Options = {"MaxFunctionEvaluations": _N, "MaxIterations": 400.0, "StepTolerance": 1e-6}
_CONJUGATE: Options = {
    "MaxPCGIter": "max(1,floor(numberOfVariables/2))",
    "PrecondBandWidth": 0.0,
    "SubproblemAlgorithm": "cg",
    "TolPCG": 0.1,
}
_HESSIAN: Options = {"HessianFcn": EMPTY, "HessianMultiplyFcn": EMPTY}
_SEVERAL: Options = {"UseParallel": False, "UseVectorized": False}


@dataclass(frozen=True)
class Solver:
    """The options of one solver.

    Attributes:
        kind: the class of its options behind ``optim.options.``.
        common: defaults that all algorithms have.
        algorithms: for each algorithm, the usual one first, its own options and defaults.
    """

    kind: str
    common: Options
    algorithms: Mapping[str, Options] = field(default_factory=dict)

    def defaults(self, algorithm: str) -> dict[str, Value]:
        """The options that an algorithm uses and their defaults, by name."""
        made = {**self.common, **self.algorithms.get(algorithm, {})}
        if self.algorithms:
            made["Algorithm"] = next(iter(self.algorithms))
        return dict(sorted(made.items(), key=lambda pair: pair[0].lower()))

    def names(self) -> list[str]:
        """The options of all algorithms."""
        found = dict.fromkeys([*self.common, *(["Algorithm"] if self.algorithms else [])])
        for own in self.algorithms.values():
            found |= dict.fromkeys(own)
        return sorted(found, key=str.lower)


_LEAST_SQUARES: Options = {
    **_DERIVATIVES,
    **_WATCHED,
    **_LIMITS,
    "FunctionTolerance": 1e-6,
    "OptimalityTolerance": 1e-6,
}
_RESIDUALS: dict[str, Options] = {
    "trust-region-reflective": {
        **_CONJUGATE,
        "JacobianMultiplyFcn": EMPTY,
        "JacobPattern": "sparse(ones(Jrows,Jcols))",
        "SubproblemAlgorithm": "factorization",
    },
    "levenberg-marquardt": {
        "InitDamping": 0.01,
        "MaxFunctionEvaluations": "200*numberOfVariables",
        "ScaleProblem": "none",
    },
}
_GOALS: Options = {
    **_DERIVATIVES,
    **_WATCHED,
    **_LIMITS,
    "ConstraintTolerance": 1e-6,
    "FunctionTolerance": 1e-6,
    "MaxSQPIterations": "10*max(numberOfVariables, numberOfInequalities + numberOfBounds)",
    "MeritFunction": "multiobj",
    "OptimalityTolerance": 1e-6,
    "RelLineSrchBnd": EMPTY,
    "RelLineSrchBndDuration": 1.0,
    "SpecifyConstraintGradient": False,
    "TolConSQP": 1e-6,
}
_CONVEX: Options = {
    "ConstraintTolerance": 1e-8,
    "LinearSolver": "auto",
    "MaxIterations": 200.0,
    "OptimalityTolerance": 1e-8,
    "StepTolerance": 1e-12,
}
_QUADRATIC: dict[str, Options] = {
    "interior-point-convex": _CONVEX,
    "trust-region-reflective": {
        **_CONJUGATE,
        "FunctionTolerance": 100 * 2.0**-52,
        "HessianMultiplyFcn": EMPTY,
        "MaxIterations": _N,
        "OptimalityTolerance": 100 * 2.0**-52,
        "StepTolerance": 100 * 2.0**-52,
        "TypicalX": "ones(numberOfVariables,1)",
    },
    "active-set": {
        "ConstraintTolerance": 1e-8,
        "MaxIterations": "10*(numberOfVariables + numberOfConstraints)",
        "ObjectiveLimit": -1e20,
        "OptimalityTolerance": 1e-8,
        "StepTolerance": 1e-8,
    },
}
_SQP: Options = {"ObjectiveLimit": -1e20, "ScaleProblem": False}

SOLVERS = {
    "fmincon": Solver(
        "Fmincon",
        {
            **_DERIVATIVES,
            **_WATCHED,
            **_LIMITS,
            "ConstraintTolerance": 1e-6,
            "OptimalityTolerance": 1e-6,
            "SpecifyConstraintGradient": False,
        },
        {
            "interior-point": {
                **_HESSIAN,
                **_SQP,
                "BarrierParamUpdate": "monotone",
                "EnableFeasibilityMode": False,
                "HessianApproximation": "bfgs",
                "HonorBounds": True,
                "MaxFunctionEvaluations": 3000.0,
                "MaxIterations": 1000.0,
                "StepTolerance": 1e-10,
                "SubproblemAlgorithm": "factorization",
            },
            "active-set": {
                "FunctionTolerance": 1e-6,
                "MaxSQPIterations": _GOALS["MaxSQPIterations"],
                "RelLineSrchBnd": EMPTY,
                "RelLineSrchBndDuration": 1.0,
                "TolConSQP": 1e-6,
            },
            "sqp": _SQP,
            "sqp-legacy": _SQP,
            "trust-region-reflective": {**_HESSIAN, **_CONJUGATE, "FunctionTolerance": 1e-6},
        },
    ),
    "fminunc": Solver(
        "Fminunc",
        {**_DERIVATIVES, **_WATCHED, **_LIMITS, "OptimalityTolerance": 1e-6},
        {
            "quasi-newton": {"HessianApproximation": "bfgs", "ObjectiveLimit": -1e20},
            "trust-region": {**_HESSIAN, **_CONJUGATE, "FunctionTolerance": 1e-6},
        },
    ),
    "fsolve": Solver(
        "Fsolve",
        _LEAST_SQUARES,
        {
            "trust-region-dogleg": {},
            "trust-region": _RESIDUALS["trust-region-reflective"],
            "levenberg-marquardt": _RESIDUALS["levenberg-marquardt"],
        },
    ),
    "lsqnonlin": Solver("Lsqnonlin", _LEAST_SQUARES, _RESIDUALS),
    "lsqcurvefit": Solver("Lsqcurvefit", _LEAST_SQUARES, _RESIDUALS),
    "fminimax": Solver("Fminimax", {**_GOALS, "AbsoluteMaxObjectiveCount": 0.0}),
    "fgoalattain": Solver("Fgoalattain", {**_GOALS, "EqualityGoalCount": 0.0}),
    "linprog": Solver(
        "Linprog",
        {"Display": "final", "MaxTime": float("inf")},
        {
            "dual-simplex": {
                "ConstraintTolerance": 1e-4,
                "MaxIterations": "10*(numberOfEqualities + numberOfInequalities + "
                "numberOfVariables)",
                "OptimalityTolerance": 1e-7,
                "Preprocess": "basic",
            },
            "interior-point": {
                "ConstraintTolerance": 1e-6,
                "MaxIterations": 200.0,
                "OptimalityTolerance": 1e-6,
                "Preprocess": "basic",
            },
            "dual-simplex-highs": {"ConstraintTolerance": 1e-7, "OptimalityTolerance": 1e-7},
            "interior-point-legacy": {"MaxIterations": 85.0, "OptimalityTolerance": 1e-8},
        },
    ),
    "coneprog": Solver(
        "ConeprogOptions",
        {
            "ConstraintTolerance": 1e-6,
            "Display": "final",
            "LinearSolver": "auto",
            "MaxIterations": 200.0,
            "MaxTime": float("inf"),
            "OptimalityTolerance": 1e-6,
        },
    ),
    "quadprog": Solver("Quadprog", {"Display": "final"}, _QUADRATIC),
    "lsqlin": Solver(
        "Lsqlin",
        {"Display": "final"},
        {"interior-point": _CONVEX, **{k: v for k, v in _QUADRATIC.items() if k[0] != "i"}},
    ),
    "intlinprog": Solver(
        "Intlinprog",
        {
            "AbsoluteGapTolerance": 0.0,
            "ConstraintTolerance": 1e-4,
            "CutGeneration": "basic",
            "Display": "iter",
            "Heuristics": "basic",
            "IntegerTolerance": 1e-5,
            "MaxNodes": 1e7,
            "MaxTime": 7200.0,
            "OutputFcn": EMPTY,
            "PlotFcn": EMPTY,
            "RelativeGapTolerance": 1e-4,
        },
    ),
    "ga": Solver(
        "GaOptions",
        {
            **_WATCHED,
            **_SEVERAL,
            "ConstraintTolerance": 1e-3,
            "CreationFcn": EMPTY,
            "CrossoverFcn": EMPTY,
            "CrossoverFraction": 0.8,
            "EliteCount": "0.05*PopulationSize",
            "FitnessLimit": float("-inf"),
            "FunctionTolerance": 1e-6,
            "HybridFcn": EMPTY,
            "InitialPopulationMatrix": EMPTY,
            "MaxGenerations": _N,
            "MaxStallGenerations": 50.0,
            "MaxTime": float("inf"),
            "MutationFcn": EMPTY,
            "PopulationSize": "50 when numberOfVariables <= 5, else 200",
            "SelectionFcn": EMPTY,
        },
    ),
    "particleswarm": Solver(
        "Particleswarm",
        {
            **_WATCHED,
            **_SEVERAL,
            "FunctionTolerance": 1e-6,
            "HybridFcn": EMPTY,
            "InitialSwarmMatrix": EMPTY,
            "MaxIterations": "200*numberOfVariables",
            "MaxStallIterations": 20.0,
            "MaxTime": float("inf"),
            "ObjectiveLimit": float("-inf"),
            "SwarmSize": "min(100,10*numberOfVariables)",
        },
    ),
    "patternsearch": Solver(
        "PatternsearchOptions",
        {
            **_WATCHED,
            **_SEVERAL,
            "ConstraintTolerance": 1e-6,
            "FunctionTolerance": 1e-6,
            "MaxFunctionEvaluations": "2000*numberOfVariables",
            "MaxIterations": _N,
            "MaxTime": float("inf"),
            "MeshTolerance": 1e-6,
            "StepTolerance": 1e-6,
        },
    ),
    "simulannealbnd": Solver(
        "SimulannealbndOptions",
        {
            **_WATCHED,
            "FunctionTolerance": 1e-6,
            "HybridFcn": EMPTY,
            "InitialTemperature": 100.0,
            "MaxFunctionEvaluations": "3000*numberOfVariables",
            "MaxIterations": float("inf"),
            "MaxStallIterations": "500*numberOfVariables",
            "MaxTime": float("inf"),
            "ObjectiveLimit": float("-inf"),
            "ReannealInterval": 100.0,
        },
    ),
}
"""The solvers that ``optimoptions`` knows."""
