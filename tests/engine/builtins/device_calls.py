"""Calls that show a builtin at work on the device, made from its declaration.

The data is named: ``S`` special values in a row, ``C`` a column, ``M`` and ``N`` matrices, ``Q``
square, ``P`` probabilities, ``T`` in three dimensions, ``F`` and ``G`` singles, ``K`` logical, ``U``
and ``V`` uint8, ``L`` tall, ``J`` int32, ``R`` an image, ``E`` empty.
"""

from __future__ import annotations

from app.engine.declarations.registry import Builtin
from tests.engine.builtins.resident_calls import RESIDENT
from tests.engine.builtins.resident_library import USUAL

DATA = """
S = [NaN Inf -Inf 0 -0 5e-324 1e-300 0.5 -0.5 1 -1 1.5 -1.5 2.5 -2.5 3 7.25 90 -180 270 720.5 1e6 -1e17 pi];
C = (-12:12)' / 5; M = reshape(sin(1:48) * 3, 8, 6); N = reshape(cos((1:48) * 1.7) * 2, 8, 6);
Q = reshape(sin((1:49) * 0.7), 7, 7); P = reshape(mod((0:48) * 0.3, 1.05), 7, 7);
T = reshape(sin((1:60) * 1.3) * 4, 4, 5, 3); F = single(M); G = single(S); K = M > 0;
U = uint8(reshape(mod((0:47) * 37, 256), 8, 6)); V = uint8(reshape(mod((0:47) * 91, 256), 8, 6));
J = int32(reshape(mod((0:47) * 37, 97) - 40, 8, 6)); W = uint16(U) * 200; E = zeros(0, 3);
R = reshape(mod((0:95) * 0.137, 1), 8, 4, 3); B = N > 0.5; D = reshape(1:35, 7, 5) / 4;
Z = M; Z(3:5:end) = NaN; H = reshape(mod((0:47) * 7, 11), 8, 6);
L = reshape(sin((1:96) * 0.7) * 3 + cos((1:96) .^ 2), 16, 6);
"""
NAMES = "SCMNQPTFGKUVJWERBDZHL"
ONE = ("S", "C", "M", "T", "G", "F", "K", "U", "J", "E", "Z", "2.5")
TWO = (
    "S, 2",
    "M, N",
    "M, C(1:8)",
    "F, F",
    "F, N",
    "3, S",
    "K, M",
    "U, V",
    "U, 3",
    "J, 7",
    "M, 1",
    "M, 2",
    "T, 3",
    "E, 2",
    "M, ones(3)",
    "K, B",
    "P, 1",
    "M, true",
)
CALLS: dict[str, tuple[str, ...]] = {
    "round": (
        *(f"round({x})" for x in ONE),
        "round(S, 2)",
        "round(C * 1e3, -2)",
        "round(F, 1)",
        "round(M, 0)",
        "round(U, 1)",
        "round(M, 3, 'significant')",
        "round(M, 400)",
    ),
    **{
        name: (
            *(f"{name}({x})" for x in ONE),
            f"{name}(M, 2, 'reverse')",
            *(
                f"nthargout(2, @{name}, {x})"
                for x in ("M", "Z, 2", "S", "H", "H, 'reverse'", "Z * NaN", "C(1)", "F", "T, 3")
            ),
        )
        for name in ("cummax", "cummin")
    },
    "atan2": ("atan2(S, 2)", "atan2(M, N)", "atan2(F, F)", "atan2(S', S)"),
    "hypot": ("hypot(S, 2)", "hypot(M, N)", "hypot(F, N)", "hypot(S', S)"),
    "randperm": ("randperm(70000)", "randperm(70000, 300)", "randperm(70000, 0)", "randperm(5)"),
    "dot": (
        *(
            f"dot({a})"
            for a in (
                "M(:), N(:)",
                "F, F",
                "M, N",
                "M, N, 2",
                "T, T, 3",
                "C, C",
                "C, C, 1",
                "M, N, 3",
                "F, F, 2",
            )
        ),
        "dot(C', C, 2)",
        "dot(M, C, 1)",
        "dot(sqrt(M), N, 2)",
    ),
    "logical": (
        *(f"logical({x})" for x in ONE),
        "logical(eye(70))",
        "logical(M(M > 0))",
        "logical(sqrt(M))",
    ),
    "convn": (
        "convn(T, ones(2, 3, 2))",
        "convn(T, ones(3, 3, 3), 'same')",
        "convn(T, reshape(1:3, 1, 1, []), 'same')",
        "convn(T, [1 2; 3 4], 'valid')",
        "convn(single(T), single(ones(2, 2, 2)), 'valid')",
        "convn(T > 0, ones(2, 2, 2))",
        "convn(T, ones(5, 5, 5), 'same')",
        "convn(M, [1 2 3])",
        "convn(M, T)",
        "convn(T, ones(9, 1, 1), 'valid')",
        "convn(T, 2)",
    ),
    "integralImage": tuple(f"integralImage({x})" for x in ("M", "U", "K", "F", "C", "E", "T", "Z")),
    "pow2": ("pow2(C)", "pow2(M, N)", "pow2(F)", "pow2(E)"),
    "cat": ("cat(1, M, N)", "cat(3, M, M)", "cat(2, U, V)", "cat(1, M, T)"),
    "colon": ("colon(1, 70000) * 2",),
    "cast": ("cast(M, 'single')", "cast(M, 'int8')"),
    "circshift": ("circshift(M, 2)", "circshift(T, 1, 3)", "circshift(U, [1 2])"),
    "permute": ("permute(T, [3 1 2])", "permute(M, [2 1])", "permute(U, [2 1])"),
    "ipermute": ("ipermute(T, [3 1 2])", "ipermute(M, [2 1])", "ipermute(M, [1 1])"),
    "reshape": ("reshape(M, 6, 8)", "reshape(M, [], 4)", "reshape(M, 5, 5)"),
    "repmat": ("repmat(M, 2, 3)", "repmat(U, [1 2])"),
    "repelem": (
        "repelem(M, 2, 3)",
        "repelem(S, 3)",
        "repelem(T, 1, 2, 2)",
        "repelem(M, 2)",
        "repelem(U, 2, 1)",
    ),
    "cov": (
        "cov(M)",
        "cov(F)",
        "cov(M, 1)",
        "cov(M, N)",
        "cov(C, C .^ 2)",
        "cov(M, N, 1)",
        "cov(F, F * 2)",
        "cov(M, C)",
        "cov(M, F)",
    ),
    "diff": (
        "diff(M)",
        "diff(M, 2)",
        "diff(T, 1, 3)",
        "diff(K)",
        "diff(K, 2, 2)",
        "diff([false; K(:); true])",
    ),
    "flipdim": ("flipdim(M)", "flipdim(T, 3)", "flipdim(U, 1)", "flipdim(C, 2)", "flipdim(K)"),
    "diag": (
        "diag(Q)",
        "diag(F(1:6, :))",
        "diag(C)",
        "diag(K(:), 2)",
        "diag(U(:)', -3)",
        "diag(M, 1)",
        "diag(M, -2)",
        "diag(M, 9)",
    ),
    "norm": (
        "norm(C)",
        "norm(M(:))",
        "norm(F(:))",
        "norm(M, 'fro')",
        "norm(F, 'fro')",
        "norm(C, 1)",
        "norm(C, Inf)",
        "norm(M, 1)",
        "norm(M, Inf)",
        "norm(F, 'inf')",
        "norm(Z, 1)",
        "norm(S, Inf)",
        "norm(M, 3)",
        "norm(M, [1 2])",
    ),
    "accumarray": (
        "accumarray(H(:) + 1, M(:))",
        "accumarray(H(:) + 1, F(:), [20 1], @mean)",
        *(
            f"accumarray(H(:) + 1, {data}(:), [20 1], {fun})"
            for data in "MZJU"
            for fun in ("@max", "@min", "@(v) min(v)", "@prod", "@std", "@var", "@median")
        ),
        "accumarray(H(:) + 1, Z(:), [20 1], @min, NaN)",
        "accumarray(H(:) + 1, M(:) > 0, [20 1], @any)",
        "accumarray(H(:) + 1, M(:), [20 1], @all)",
        "accumarray(H(:) + 1, M(:), [20 1], @range)",
        "accumarray(H(:) + 1, U(:))",
        "accumarray(H(:) + 1, K(:))",
        "accumarray({H(:, 1) + 1, H(:, 2) + 1}, M(:, 1))",
        "accumarray(H(:), M(:))",
    ),
    "sub2ind": ("sub2ind([11 11], H + 1, H + 1)",),
    "ind2sub": ("ind2sub([3 4], H + 1)",),
    "vecnorm": ("vecnorm(M)", "vecnorm(M, 2, 2)"),
    "cumsum": (
        "cumsum(M)",
        "cumsum(M, 2)",
        "cumsum(T, 3)",
        "cumsum(M, 'reverse')",
        "cumsum(S)",
        "cumsum(U)",
        "cumsum(J, 2)",
        "cumsum(int8(M * 30))",
        "cumsum(W, 'reverse')",
        "cumsum(int64(J))",
        "cumprod(U)",
    ),
    "cumprod": ("cumprod(M)", "cumprod(M, 2)"),
    "mldivide": ("2 \\ M",),
    "mrdivide": ("M / 2",),
    "mpower": ("Q ^ 2", "mpower(Q, 5)", "M ^ 2"),
    "mtimes": ("M * N'", "F * F'", "M * M"),
    "vertcat": ("[M; N]", "[U; V]"),
    "horzcat": ("[M, N]", "[M, 1]"),
    "power": ("power(S, 2)", "power(M, 0.5)", "power(abs(M), N)"),
    "not": ("not(K)", "not(U)"),
    "and": ("and(K, B)",),
    "or": ("or(K, B)", "or(K, U)"),
    "xor": ("xor(K, B)", "xor(K, true)", "xor(M, N)"),
    "linspace": ("linspace(0, 1, 70000)",),
    "logspace": ("logspace(-3, 2, 70000)",),
    "eye": ("eye(300)", "eye(300, 'single')", "eye(200, 400)"),
    "hilb": ("hilb(300)",),
    "meshgrid": ("meshgrid(1:300, 1:300)",),
    "ndgrid": ("ndgrid(1:300, 1:300)",),
    "rand": ("rand(300)",),
    "randn": ("randn(300)",),
    "randi": ("randi(9, 300)",),
    "std": (
        "std(M)",
        "std(T, 0, 3)",
        "std(M, 1)",
        "std(F, 0, 'all')",
        "std(C, P(1:25))",
        "std(M, P(1:8))",
    ),
    "var": (
        "var(M)",
        "var(M, 1, 2)",
        "var(F)",
        "var(M, 1:8)",
        "var(M, abs(C(1:6)), 2)",
        "var(C, -C)",
        "var(M, 1:5)",
        "var(F, single(1:8))",
        "var(F, 1:8)",
        "var(M, P(1, 1:6), 2)",
        "var(C, P(1:25))",
    ),
    "max": ("max(M)", "max(M, N)", "max(M, [], 2)", "max(U, V)"),
    "min": ("min(M)", "min(Z)", "min(M, 0)", "min(M, [], 'all')"),
    "mod": ("mod(M, N)", "mod(S, 2)", "mod(U, 3)"),
    "rem": ("rem(M, N)", "rem(C, 0.4)"),
    "kron": ("kron(M, [1 2; 3 4])", "kron(F, F)", "kron(T, M)"),
    "cross": ("cross(M(:, 1:3), N(:, 1:3))", "cross(R, R)", "cross(M, N)"),
    "trapz": (
        "trapz(M)",
        "trapz(M, 2)",
        "trapz(C, C)",
        "trapz(sort(N(:, 1)), M)",
        "trapz(0.5, M)",
        "trapz(1:5, M)",
    ),
    "cumtrapz": ("cumtrapz(M)", "cumtrapz(0.5, M, 2)", "cumtrapz(sort(N(:, 1)), M)", "cumtrapz(C)"),
    "pagemtimes": (
        "pagemtimes(T, 'transpose', T, 'none')",
        "pagemtimes(T, [1 2; 3 4; 5 6; 7 8; 9 10])",
        "pagemtimes(M, 'none', N, 'transpose')",
        "pagemtimes(T, T)",
    ),
    "trace": ("trace(Q)", "trace(M)"),
    "vander": ("vander(C)", "vander(M)"),
    "gradient": (
        "gradient(M)",
        "gradient(C, 0.5)",
        "gradient(T)",
        "gradient(M, 2, 3)",
        "gradient(C, C .^ 3)",
        "gradient(C', C)",
        "gradient(F(:), N(:))",
        "gradient(M, 1:6, 1:8)",
        "gradient(C, 1:3)",
    ),
    "tril": ("tril(M)", "tril(Q, 1)", "tril(U)", "tril(K, -1)", "tril(T)"),
    "triu": ("triu(M)", "triu(Q, -1)", "triu(F)", "triu(K)"),
    "rot90": ("rot90(M)", "rot90(M, 2)", "rot90(U, 3)"),
    "shiftdim": (
        "shiftdim(T)",
        "shiftdim(T, 1)",
        "shiftdim(M, -1)",
        "shiftdim(reshape(M, 1, 8, 6))",
    ),
    "postpad": ("postpad(M, 12)", "postpad(C, 3)", "postpad(M, 9, 5, 2)"),
    "prepad": ("prepad(M, 12)", "prepad(C, 3)", "prepad(M, 9, 5, 2)"),
    "isequal": (
        "isequal(M, M + 0)",
        "isequal(M, N)",
        "isequal(M, C)",
        "isequal(Z, Z + 0)",
        "isequal(M, M, N)",
    ),
    "isequaln": ("isequaln(Z, Z + 0)", "isequaln(M, N)"),
    "issymmetric": ("issymmetric(Q)", "issymmetric(Q + Q')", "issymmetric(M)"),
    "ishermitian": ("ishermitian(Q)", "ishermitian(Q + Q')"),
    "isdiag": ("isdiag(Q)", "isdiag(Q .* eye(7))"),
    "istril": ("istril(Q)", "istril(tril(Q))"),
    "istriu": ("istriu(Q)", "istriu(triu(Q))"),
    "isbanded": ("isbanded(Q, 1, 2)", "isbanded(triu(tril(Q, 1), -1), 1, 1)", "isbanded(Q, -1, 0)"),
    "merge": ("merge(K, M, N)", "merge(K, M, 0)", "merge(M, M, N)"),
    "ifelse": ("ifelse(K, M, N)",),
    "polyval": (
        "polyval([1 -2 3], M)",
        "polyval(2, C)",
        "polyval([1 2], F)",
        "polyval([1 2 3], E)",
    ),
    "ismember": (
        "ismember(H, [1 4 9])",
        "ismember(S, [0 1 NaN])",
        "ismember(H, 3)",
        "ismember(H, [H(3, :); 1:6], 'rows')",
        "nthargout(2, @ismember, mod(H, 3), mod(H([5 2 5], :), 3), 'rows')",
        "ismember(Z, Z, 'rows')",
        "ismember(U, U(2:3, :), 'rows')",
    ),
    "discretize": (
        "discretize(M, [-3 -1 0 2])",
        "discretize(S, [0 1 2 90])",
        "discretize(M, [3 1 2])",
        "discretize(S, linspace(-3, 3, 100))",
        "discretize(U, 0:5:256)",
    ),
    "corr": ("corr(M)", "corr(M, N)", "corr(F)"),
    "corrcoef": ("corrcoef(M)", "corrcoef(M, N)", "corrcoef(F)"),
    "normalize": (
        "normalize(M)",
        "normalize(Z)",
        "normalize(M, 2)",
        "normalize(M, 'range')",
        "normalize(T, 3)",
        "normalize(M, 'center')",
        "normalize(M, 'scale')",
        "normalize(F)",
        "normalize(M, 'wrong')",
    ),
    "rescale": ("rescale(M)", "rescale(M, -1, 1)", "rescale(Z)", "rescale(F)", "rescale(M, 2, 1)"),
    "moment": ("moment(M, 3)", "moment(M, 2, 2)"),
    "zscore": ("zscore(M)", "zscore(M, 1)", "zscore(T, 0, 3)"),
    "skewness": ("skewness(M)", "skewness(M, 1, 2)", "skewness(M, 0)"),
    "kurtosis": ("kurtosis(M)", "kurtosis(F)"),
    "mad": ("mad(M)", "mad(M, 0, 2)", "mad(M, 1)", "mad(Z, 1)", "mad(F, 1, 2)"),
    "geomean": ("geomean(abs(M))", "geomean(abs(F), 2)"),
    "harmmean": ("harmmean(abs(M))", "harmmean(abs(T), 3)"),
    "bitshift": (
        "bitshift(U, 2)",
        "bitshift(W, -3)",
        "bitshift(U, 9)",
        "bitshift(J, 1)",
        "bitshift(H, 1)",
    ),
    "bitget": (
        *("bitget(U, 3)", "bitget(W, 12)", "bitget(U, 9)", "bitget(J, 2)", "bitget(J, 31)"),
        *("bitget(J, 32)", "bitget(int8(J), 8)", "bitget(int16(J) * 700, 7)", "bitget(J, 33)"),
    ),
    "bitset": (
        *("bitset(U, 3)", "bitset(W, 2, 0)", "bitset(U, 12)", "bitset(J, 5)", "bitset(J, 5, 0)"),
        *("bitset(J, 31)", "bitset(J, 32)", "bitset(int8(J), 8, 0)"),
    ),
    "bitcmp": ("bitcmp(U)", "bitcmp(W)", "bitcmp(J)"),
    "idivide": (
        "idivide(U, V + 1)",
        "idivide(J, 7)",
        "idivide(J, 7, 'floor')",
        "idivide(J, int32(4), 'round')",
        "idivide(U, 0)",
        "idivide(J, 5, 'ceil')",
        "idivide(J, 2.5)",
    ),
    "chirp": ("chirp(C)", "chirp(C, 1, 2, 5)", "chirp(F)"),
    "square": ("square(S)", "square(C, 30)"),
    "sawtooth": ("sawtooth(C)", "sawtooth(C, 0.3)"),
    "downsample": ("downsample(M, 3)", "downsample(C, 2, 1)"),
    "upsample": ("upsample(M, 3)", "upsample(C, 2, 1)", "upsample(C', 3, 2)"),
    "detrend": ("detrend(M)", "detrend(C)", "detrend(M, 0)", "detrend(M, 'constant')"),
    "filter": (
        "filter([1 2 3], 2, C)",
        "filter(ones(1, 70), 1, M)",
        "filter((1:70) / 9, -4, C')",
        "filter(1, [1 -0.5], C)",
        "filter([1 2], [2 -0.5 0.2], M)",
        "filter(0.1, [1 -0.9], M, [], 2)",
        "filter([1 2 3], [1 -0.9 0.3], M, [1 2]' * ones(1, 6))",
        "filter([1 2 3], [1 -0.9 0.3], M, ones(8, 2)', 2)",
        "nthargout(2, @filter, [1 2 3], [1 -0.9 0.3], M)",
        "nthargout(2, @filter, [1 2], [1 -0.9 0.3], C')",
        "filter(1, [1 -1], C')",
        "filter(1, [1 -1], F)",
        "filter(1, [1 0.5], Z)",
        "filter(1, [1 -0.5], [NaN C])",
        "filter(1, [1 -0.5], [C(1:9) Inf C])",
        "filter(1, [1 -3], repmat(C, 1, 9))",
    ),
    "medfilt1": ("medfilt1(C, 5)", "medfilt1(M)", "medfilt1(Z, 4)"),
    "conv2": (
        "conv2(M, [1 2; 3 4])",
        "conv2(M, [1 2 3], 'same')",
        "conv2(M, ones(3), 'valid')",
        "conv2(F, [1 2; 3 4], 'same')",
        "conv2(M, magic(4), 'same')",
        "conv2(M, magic(9), 'same')",
        "conv2(M, magic(9))",
    ),
    "filter2": ("filter2([1 2; 3 4], M)", "filter2(magic(3), M, 'full')", "filter2(magic(4), M)"),
    "unwrap": ("unwrap(C * 9)", "unwrap(M * 5)"),
    "im2bw": ("im2bw(P, 0.3)", "im2bw(U, 0.5)", "im2bw(R, 0.4)"),
    "imbinarize": ("imbinarize(P, 0.3)", "imbinarize(U, 0.5)", "imbinarize(P)", "imbinarize(U)"),
    "mat2gray": (
        "mat2gray(M, [-1 1])",
        "mat2gray(U, [9 99])",
        "mat2gray(M)",
        "mat2gray(U)",
        "mat2gray(Z)",
        "mat2gray(F)",
        "mat2gray(K)",
        "mat2gray(zeros(4) + U(1:4))",
    ),
    "imadjust": (
        "imadjust(P, [0.2 0.8], [0 1])",
        "imadjust(U, [0.2; 0.8], [0.1; 1], 2)",
        "imadjust(P)",
        "imadjust(U)",
        "imadjust(single(P))",
    ),
    "rgb2gray": ("rgb2gray(R)", "rgb2gray(uint8(R * 255))", "rgb2gray(M)"),
    "im2gray": ("im2gray(R)", "im2gray(U)"),
    "rgb2hsv": ("rgb2hsv(R)", "rgb2hsv(P(:, 1:3))", "rgb2hsv(M)"),
    "hsv2rgb": ("hsv2rgb(R)", "hsv2rgb(P(:, 1:3))"),
    "imfilter": (
        "imfilter(M, [1 2; 3 4])",
        "imfilter(U, ones(3) / 9)",
        "imfilter(F, magic(4))",
        "imfilter(M, ones(3), 'replicate')",
        "imfilter(U, ones(2, 5) / 11, 'circular')",
        "imfilter(R, magic(3), 'conv', 'symmetric')",
        "imfilter(M, ones(3), 7)",
    ),
    "padarray": (
        "padarray(M, [1 2])",
        "padarray(U, [2 1], 7, 'post')",
        "padarray(T, [1 1 1])",
        "padarray(K, [1 1])",
        "padarray(K, 2, 1, 'pre')",
        "padarray(M, [2 3], 'replicate')",
        "padarray(U, [1 9], 'symmetric', 'pre')",
        "padarray(R, [2 1 1], 'Circular', 'post')",
        "padarray(K, 3, 'symmetric')",
        "padarray(F, [0 2], NaN)",
        "padarray(E, [1 1])",
    ),
    "cart2pol": ("cart2pol(M, N)", "cart2pol(M, 1)"),
    "pol2cart": ("pol2cart(M, N)",),
    "cart2sph": ("cart2sph(M, N, H)",),
    "sph2cart": ("sph2cart(M, N, H)",),
    "standardizeMissing": ("standardizeMissing(H, 3)", "standardizeMissing(M, [1 2])"),
    "beta": ("beta(abs(M), abs(N) + 0.1)", "beta(2, abs(M))"),
    "betaln": ("betaln(abs(M), 2)",),
    "gammaln": ("gammaln(abs(M))", "gammaln(abs(F))", "gammaln(abs(S))"),
    "tukeywin": ("tukeywin(70000, 0.3)",),
    "range": ("range(M)", "range(M, 2)", "range(Z)", "range(F)"),
    "triang": ("triang(70001)", "triang(70000)"),
    "fftshift": ("fftshift(M)", "fftshift(T, 3)", "fftshift(C)"),
    "ifftshift": ("ifftshift(M)", "ifftshift(C)"),
    "inf": ("inf(300)",),
    "Inf": ("Inf(300)",),
    "nan": ("nan(300)",),
    "NaN": ("NaN(300)",),
    "NA": ("NA(300)",),
    "squeeze": ("squeeze(reshape(M + 1, 8, 1, 6))",),
    "complex": ("complex(M, N)", "complex(F, N)", "complex(S, flip(S))", "complex(M, 0)"),
    "asind": ("asind(P)", "asind(S)"),
    "acosd": ("acosd(P)", "acosd(S)"),
}
CALLS |= {
    n: tuple(f"{n}({a})" for a in ("M, 3", "M, [1 2]", "M, 4, 2", "C, 5", "F, 3", "Z, 3", "M, 0"))
    for n in ("movsum", "movprod", "movmax", "movmin", "movmean")
}
MOVING = (
    "M, [1 2]",
    "M, 3, 'Endpoints', 'discard'",
    "M, 3, 'Endpoints', 2",
    "M, 3, 'Endpoints', 'fill'",
    "Z, 3, 'omitnan'",
    "Z, 4, 2, 'omitnan', 'Endpoints', 'fill'",
    "C, 17",
)
for _name in ("movsum", "movprod", "movmax", "movmin", "movmean"):
    CALLS[_name] += tuple(f"{_name}({a})" for a in MOVING)
CALLS |= {
    n: tuple(f"{n}({a})" for a in ("M, 3", "F, [1 2]", "Z, 3", "T, 3", "S, 3", *MOVING))
    for n in ("movstd", "movvar", "movmedian", "movmad")
}
CALLS["movvar"] += ("movvar(M + 1e6, 4)", "movvar(M, 5, 1)")
CALLS |= {
    n: tuple(f"{n}({a})" for a in ("M", "Z", "F", "M(:)", "T"))
    for n in ("nanmax", "nanmin", "nansum", "nanmean", "nanstd", "nanvar")
}
CALLS = USUAL | CALLS | RESIDENT


def calls(builtin: Builtin) -> tuple[str, ...]:
    """Calls of a builtin over the named data."""
    name = builtin.name
    if name in CALLS:
        return CALLS[name]
    if builtin.category == "windows":
        return (f"{name}(70000)", f"{name}(70001)")
    if builtin.category == "creation" or name in ("true", "false", "zeros", "ones"):
        return (f"{name}(300)",)
    if builtin.category == "distributions":
        return _distribution(builtin)
    if builtin.min_args == 2 or name in {"prctile", "quantile"}:  # shares are left out in Octave
        return tuple(f"{name}({a})" for a in TWO)
    return tuple(f"{name}({a})" for a in ONE)


def _distribution(builtin: Builtin) -> tuple[str, ...]:
    count = builtin.signatures[0].count(",")
    where = "P" if builtin.name.endswith("inv") else "S"
    rest = ("2", "3", "1")[:count]
    return tuple(
        f"{builtin.name}({', '.join((v, *r))})"
        for v, r in (
            (where, rest),
            ("D" if where == "S" else "P", ("0.5",) * count),
            ("F", rest),
            ("M", ("0", *rest[1:])[:count]),
            ("D", ("D / 9",) * count),
            ("M", ("-1",) * count),
        )
    )
