"""Calls over the data of ``device_calls`` of functions whose forms are for resident data."""

from __future__ import annotations

RESIDENT: dict[str, tuple[str, ...]] = {
    "arrayfun": (
        "arrayfun(@(a) a ^ 2 + 1, repmat(M, 8, 8))",
        "arrayfun(@(a, b) max(a, b) / 3, repmat(F, 8, 8), repmat(Z, 8, 8))",
        "arrayfun(@(a) a > 0 && a < 2, repmat(M, 8, 8))",
        "arrayfun(@(a) [4 5 6](mod(a, 3) + 1), repmat(H, 8, 8))",
        "arrayfun(@(a) a + 1, repmat(U, 8, 8))",
        "nthargout(2, @arrayfun, @(a) deal(a, -a), repmat(M, 8, 8))",
    ),
    **{
        name: (
            f"{name}(round(M * 30), round(N * 40))",
            f"{name}(U, V)",
            f"{name}(J, 12)",
            f"{name}(12, single(J))",
            f"{name}(H, round(S(24)))",
            f"{name}(W, 600)",
            f"{name}(round(M * 1e9), round(N * 1e12))",
            f"{name}(K, H)",
            f"{name}(int8(J), int8(-128))",
            f"{name}(M, 3)",
            f"{name}(S, 3)",
            f"{name}(H, C)",
        )
        for name in ("gcd", "lcm")
    },
    "isprime": (
        "isprime(U)",
        "isprime(H)",
        "isprime(abs(J))",
        "isprime(round(abs(M) * 1e5))",
        "isprime(single(H))",
        "isprime(H + 1e9)",
        "isprime(M)",
        "isprime(J)",
        "isprime(S)",
        "isprime(K)",
    ),
    "expm": (
        "expm(Q)",
        "expm(Q * 20)",
        "expm(single(Q))",
        "expm(Q * 0)",
        "expm(M)",
        "expm(Q * NaN)",
    ),
    "mat2cell": (
        "cell2mat(mat2cell(repmat(M, 40, 40), [100 220], [40 200]))",
        "mat2cell(repmat(M, 40, 40), [100 220], [40 200]){2, 1}",
        "mat2cell(repmat(T, 20, 20, 8), 80, 100, [4 20]){2}",
        "cell2mat(mat2cell(repmat(U, 40, 40), [320 0], 240)(1))",
    ),
    "cell2mat": (
        "cell2mat({M, N; N, M})",
        "cell2mat(num2cell(repmat(M, 1000, 1), 1))",
        "cell2mat({F; F})",
    ),
    "griddedInterpolant": tuple(
        f"subsref(griddedInterpolant({given}), substruct('()', {{{queries}}}))"
        for given, queries in (
            ("(-3:3)', ((-3:3).^2)'", "C"),
            ("(-3:3)', ((-3:3).^2)', 'nearest', 'boundary'", "S"),
            ("(-3:3)', ((-3:3).^2)', 'previous', 'none'", "S"),
            ("(-3:3)', ((-3:3).^2)', 'spline'", "C"),
            ("magic(9)", "abs(C) + 4, abs(C) + 3"),
            ("M", "abs(C) + 4, abs(C) + 3"),
            ("(-30:17)', M(:), 'next'", "G"),
        )
    ),
    "kmeans": (
        "kmeans(repmat(M, 40, 1), 3, 'Start', M(1:3, :))",
        "nthargout(2, @kmeans, repmat(M, 40, 1) + (1:320)' / 1e3, 3, 'Start', M(2:4, :))",
        "nthargout(3, @kmeans, repmat(F, 40, 1), 4, 'Start', M(4:7, :), 'MaxIter', 2)",
        "nthargout(4, @kmeans, repmat(M, 40, 1), 3, 'Start', repmat(M(1:3, :), 1, 1, 2))",
        "kmeans(C, 3, 'Start', [-2; 0; 9])",
        "kmeans(C, 26)",
        "kmeans(Z, 2, 'Start', Z(1:2, :))",
        "kmeans(M, 2, 'Start', M(1:2, :), 'Distance', 'cityblock')",
        "kmeans(E, 2)",
    ),
    "num2cell": (
        "cell2mat(num2cell(repmat(M, 1000, 1), 1))",
        "num2cell(repmat(F, 1, 2000), 2){3}",
        "cell2mat(num2cell(M, 2))",
        "cell2mat(num2cell(H))",
    ),
    "datasample": ("datasample(repmat(M, 9, 9), 50)", "datasample(C, 9)", "datasample(M, 9, 2)"),
    "randsample": (
        "randsample(repmat(C, 40, 1), 300)",
        "randsample(M(:)', 40, true)",
        "randsample(70000, 9)",
    ),
    **{
        name: (f"{name}(1, 2, 300, 300)", f"{name}(0.5, 3, [2, 40000])")
        for name in ("normrnd", "unifrnd", "wblrnd", "evrnd", "lognrnd")
    },
    **{
        name: (f"{name}(2, 300, 300)", f"{name}(0.5, [2, 40000])") for name in ("exprnd", "raylrnd")
    },
    "issorted": (
        *(f"issorted({x})" for x in ("S", "C", "sort(S)", "sort(G)", "K(:)", "sort(U(:))", "J(:)")),
        *(f"issorted({x}, 'descend')" for x in ("C", "sort(S, 'descend')", "-C")),
        "issorted(M)",
        "issorted(E)",
    ),
    "findgroups": (
        *(f"findgroups({x})" for x in ("S", "C", "H(:)", "K(:)", "U(:)", "J(:)'", "G", "Z(:)")),
        *(f"nthargout(2, @findgroups, {x})" for x in ("S", "H(:)", "U(:)'", "S * NaN")),
    ),
    "median": (
        *(
            f"median({x})"
            for x in ("S", "M", "Z", "T", "F", "K", "U", "J", "W", "int8(M * 9)", "E")
        ),
        *(f"median({x}, 2)" for x in ("M", "U", "J", "Z", "T")),
        *(f"median({x}, 'omitnan')" for x in ("S", "Z", "G", "U", "Z * NaN")),
        "median(J, 'all')",
        "median(Z, 'all', 'omitnan')",
        "median(int64(J))",
        "median(Z, 2, 'omitnan')",
    ),
    "nanmedian": (
        "nanmedian(S)",
        "nanmedian(Z)",
        "nanmedian(Z, 2)",
        "nanmedian(G)",
        "nanmedian(U)",
    ),
    "tensorprod": (
        "tensorprod(Q, Q, 1)",
        "tensorprod(T, M(1:4, 1:5), [1 2])",
        "tensorprod(T, Q(1:5, :), 2, 1)",
        "tensorprod(T, T, [3 1], [3 1])",
        "tensorprod(C, C, 1)",
        "tensorprod(F, F, 2)",
        "tensorprod(M, N, 3)",
        "tensorprod(M, N, 1, 2)",
        "tensorprod(M, N, 'all')",
    ),
    "imcrop": (
        "imcrop(M, [2 3 2 4])",
        "imcrop(U, [1.6 0.2 9 9])",
        "imcrop(R, [2 2 1 3])",
        "imcrop(K, [1 1 3 3])",
        "imcrop(M, [20 20 2 2])",
    ),
    "imtranslate": (
        "imtranslate(M, [2 -1])",
        "imtranslate(U, [-3 0])",
        "imtranslate(K, [0 2])",
        "imtranslate(M, [0.5 1])",
        "imtranslate(F, [-1 1])",
    ),
    "edge": (
        *(
            f"edge({x})"
            for x in ("M", "P", "U", "F", "K", "int16(J) * 300", "C", "E", "R(:, :, 2)")
        ),
        *(f"edge(P, '{m}')" for m in ("sobel", "prewitt", "roberts", "log", "canny")),
        "edge(P, 'sobel', 0.1, 'horizontal')",
        "edge(P, 'roberts', [], 'nothinning')",
        "edge(repmat(R(:, :, 1), 9, 9), 'prewitt', [], 'vertical')",
        "nthargout(2, @edge, P, 'prewitt')",
        "edge(P, 'roberts', 0.1, 2)",
        "edge(P, 'other')",
        "edge(Z)",
    ),
    "imsharpen": (
        *(f"imsharpen({x})" for x in ("M", "P", "U", "F", "K", "R", "int16(J) * 300", "J", "E")),
        "imsharpen(P, 'Radius', 3)",
        "imsharpen(U, 'Amount', 2.5, 'Radius', 0.3)",
        "imsharpen(R, 'Threshold', 0.2)",
        "imsharpen(P, 'Width', 2)",
    ),
    "factorial": (
        *(f"factorial({x})" for x in ("H", "single(H)", "[0 1 22 170 171 1e9 Inf]", "U", "K", "E")),
        *(f"factorial({x})" for x in ("S", "-H", "H + 0.5", "[3 NaN]")),
    ),
    "imrotate": (
        *(f"imrotate({x}, {a})" for x in ("M", "U", "K") for a in (90, 180, -90, 360, 33)),
        "imrotate(M, 30, 'bilinear')",
        "imrotate(M, -77, 'bilinear', 'crop')",
        "imrotate(R, 25, 'bilinear', 'crop')",
        "imrotate(F, 12.5, 'nearest', 'loose')",
        "imrotate(U, 41, 'bilinear')",
        "imrotate(M, 20, 'bicubic')",
    ),
    "ind2rgb": (
        "ind2rgb(H + 1, [D; 1 - D](1:12, 1:3) / 5)",
        "ind2rgb(mod(U, 7), D(:, 2:4))",
        "nthargout(2, @ind2rgb, H * 3 - 4, D(:, 1:3))",
    ),
    "im2col": (
        *(f"im2col({x}, [3 2]{k})" for x in ("M", "U", "K") for k in ("", ", 'distinct'")),
        "im2col(M, [8 6])",
        "im2col(M, [8 6], 'distinct')",
        "im2col(M, [5 4], 'distinct')",
        "im2col(M, [9 2])",
        "im2col(F, [1 1], 'sliding')",
    ),
    "col2im": (
        "col2im(im2col(M, [3 2], 'distinct'), [3 2], [8 6], 'distinct')",
        "col2im(im2col(M, [4 6], 'distinct'), [4 6], [8 6], 'distinct')",
        "col2im(1:35, [4 2], [8 8])",
        "col2im(M, [2 2], [7 9], 'sliding')",
    ),
    "imgradient": (
        "imgradient(M)",
        "nthargout(2, @imgradient, M)",
        "imgradient(U)",
        "imgradient(K)",
        "imgradient(F)",
    ),
    "imboxfilt": ("imboxfilt(M)", "imboxfilt(M, 5)", "imboxfilt(U, [3 1])", "imboxfilt(F, 3)"),
    "rangefilt": (
        *(f"rangefilt({x})" for x in ("M", "U", "K", "J", "F")),
        "rangefilt(M, [0 1 0; 1 1 1; 0 1 0])",
        "rangefilt(M, ones(5, 3))",
    ),
    "stdfilt": ("stdfilt(M)", "stdfilt(U, ones(5))", "stdfilt(N, [0 1 0; 1 1 1; 0 1 0])"),
    **{
        name: (
            *(f"{name}({x})" for x in ("M", "H", "H(:)", "S(4:end)", "U", "G(4:end)", "T", "S")),
            *(f"{name}({x}, 2)" for x in ("M", "H", "mod(H, 2)")),
            *(
                f"{name}(mod(H, 3), 'FlatSelection', '{w}')"
                for w in ("all", "first", "last", "center")
            ),
            f"{name}(mod(T, 2) > 1, 3)",
            f"{name}(M, 'MinProminence', 1)",
            f"nthargout(2, @{name}, M)",
        )
        for name in ("islocalmax", "islocalmin")
    },
    "findpeaks": (
        *(f"findpeaks({x})" for x in ("M(:)", "H(:)'", "S", "mod(H(:), 3)", "Z(:)")),
        *(f"nthargout(2, @findpeaks, {x})" for x in ("M(:)'", "S", "mod(H(:), 3)")),
        "findpeaks(M(:), 'MinPeakHeight', 2.5)",
        "findpeaks(1:9)",
        "findpeaks(M(:), 'MinPeakDistance', 3)",
    ),
    "bsxfun": (
        "bsxfun(@plus, M, C(1:8))",
        "bsxfun(@(a, b) a .* b + 1, M, C(1:8))",
        "bsxfun(@(a, b) max(a, b), D(1, :), D)",
        "bsxfun(@(a, b) a - b, F, single(2))",
    ),
    "unique": (
        "unique(S)",
        "unique(U)",
        "unique(K)",
        "unique(F)",
        "unique(H, 'stable')",
        "nthargout(2, @unique, H)",
        "nthargout(3, @unique, H)",
        "nthargout(2, @unique, H, 'last')",
        "nthargout(3, @unique, H, 'stable')",
        "unique(mod(H, 3), 'rows')",
        "nthargout(3, @unique, mod(H, 3), 'rows')",
        "unique(Z)",
        "unique(E)",
    ),
    "intersect": (
        "intersect(S, C)",
        "intersect(H, 3:90)",
        "nthargout(2, @intersect, H, J)",
        "nthargout(2, @intersect, H, M)",
        "nthargout(3, @intersect, S, C)",
        "intersect(H, flip(H), 'stable')",
    ),
    "union": ("union(S, C)", "union(H, M)", "union(H, M, 'stable')", "union(H, K)"),
    "setdiff": (
        "setdiff(S, C)",
        "setdiff(H, 5:90)",
        "nthargout(2, @setdiff, H, 2:40)",
        "setdiff(H, H)",
        "setdiff(H, M, 'stable')",
        "setdiff(U, V)",
    ),
    "setxor": ("setxor(S, C)", "setxor(H, M)", "setxor(U, V)"),
    "sortrows": (
        "sortrows(H)",
        "sortrows(H, -2)",
        "sortrows(H, [2 -3])",
        "sortrows(Z, 3, 'descend')",
        "nthargout(2, @sortrows, H, [1 -2])",
        "sortrows(U)",
        "sortrows(H, 9)",
    ),
    "mode": (
        "mode(H)",
        "mode(H, 2)",
        "mode(Z)",
        "mode(S)",
        "mode(H, 'all')",
        "nthargout(2, @mode, H)",
        "mode(J)",
        "mode(F)",
    ),
    "splitapply": (
        *(
            f"splitapply(@{f}, M(:), mod((0:47)', 5) + 1)"
            for f in ("sum", "mean", "max", "std", "numel")
        ),
        "splitapply(@(v) median(v), Z(:), mod((0:47)', 5) + 1)",
        "splitapply(@min, F(:), mod((0:47)', 5) + 1)",
        "splitapply(@var, M(:), H(:) + 1)",
        "splitapply(@(v) sum(v .^ 2), M(:), mod((0:47)', 5) + 1)",
        "splitapply(@sum, C', mod(0:24, 3) + 1)",
        "splitapply(@sum, M, mod((0:7)', 3) + 1)",
        "splitapply(@mean, C, [NaN; ones(24, 1)])",
        "splitapply(@mean, C, [1; 3 * ones(24, 1)])",
        "splitapply(@sum, U(:), mod((0:47)', 5) + 1)",
        "splitapply(@dot, M(:), N(:), mod((0:47)', 5) + 1)",
        "splitapply(@sum, C, 1:24)",
    ),
    "polyfit": (
        "polyfit(C, sin(C), 3)",
        "polyfit(C', cos(C), 0)",
        "polyfit(D, M(1:35), 5)",
        "polyfit(1:48, M(:)', 1)",
        "polyfit(20 + (1:48), H, 2)",
        "polyfit(F, N, 2)",
        "polyfit(M, F .^ 2, 2)",
        "polyfit(Z, M, 2)",
        "polyfit(M, Z, 1)",
        "polyfit(K, M, 1)",
        "polyfit(ones(1, 48), M, 1)",
        "polyfit(J, M, 1)",
        "polyfit(M, N, 2.5)",
        "polyfit(M, C, 2)",
    ),
    "interp1": (
        "interp1(C, C .^ 2, P * 5 - 2.5)",
        "interp1(C, F(1:25), P * 5 - 2.5)",
        "interp1(flip(C), C .^ 3, P * 5 - 2.5)",
        "interp1(C, C .^ 2, P * 5 - 2.5, 'nearest', 'extrap')",
        "interp1(C, C .^ 2, S, 'previous')",
        "interp1(C, C .^ 2, S, 'next', 0)",
        "interp1(1:8, M, C, 'linear', 'extrap')",
        "interp1(C, P * 8)",
        "interp1(linspace(0, 9, 9), 1:9, T, 'spline')",
        "interp1([0 1 1 2], 1:4, T)",
        *(
            f"interp1((1:48)', M(:), P * {n} - 2, 'pchip'{e})"
            for n in (44, 60)
            for e in ("", ", NaN")
        ),
        "interp1(cumsum(P(:) + 0.1), round(P(:) * 3), P * 20 + 1, 'pchip')",
        "interp1(M(:), (1:48)', P, 'pchip')",
        "interp1(M(:), single(1:48)', single(P), 'pchip')",
        "interp1(round(M(:)), P(2:end)', P, 'pchip')",
        "interp1((1:48)', Z(:), P * 44 + 2, 'pchip')",
        "interp1([1 2 3 5], [1 3 2 2], P(1:9) * 6, 'pchip')",
        "interp1([1 2 3], [1 3 2], P * 6, 'pchip')",
    ),
    "interp2": (
        "interp2(M, P * 5, P * 7)",
        "interp2(1:6, 1:8, M, P * 5, P * 7, 'nearest')",
        "interp2(D, C', P(:) * 8)",
        "interp2(M, P * 5, P * 7, 'linear', -1)",
        "interp2(F, P * 5, P * 7)",
        *(f"interp2({x}, P * 5 + 1, P' * 7 + 1, 'cubic')" for x in ("M", "F", "Z", "T(:, :, 1)")),
        "interp2(M, P * 9 - 1, P' * 9 - 1, 'cubic', 7)",
        "interp2((1:6) * 2, (1:8) / 4, M, P * 9 + 3, P * 1.5 + 0.3, 'cubic')",
        "interp2((1:6) .^ 2, 1:8, M, P * 30 + 2, P * 6 + 1, 'cubic')",
        "interp2(M, 1:0.25:6, (1:0.5:8)', 'cubic')",
        "interp2(M(1:2, :), P * 5 + 1, P + 1, 'cubic')",
        "interp2(M, [1 6 NaN 6 1], [1 8 2 1 8], 'cubic')",
    ),
    "interp3": ("interp3(T, P * 4, P * 3, P * 2)",),
    "interpn": (
        "interpn(M, P * 7, P * 5)",
        "interpn(1:8, 1:6, M, P * 7, P * 5, 'nearest')",
        "interpn(T, P * 4, P * 5, P * 3)",
    ),
    "ppval": ("ppval(spline(1:5, [1 4 2 5 9]), T)", "ppval(mkpp([0 1 2], [1 0; 1 1]), S)"),
    "spline": ("spline(linspace(0, 9, 9), (1:9) .^ 2, T)",),
    "pchip": ("pchip(linspace(0, 9, 9), (1:9) .^ 2, T)",),
    "hankel": (
        "hankel(C)",
        "hankel(C, S(3:20))",
    ),
    "toeplitz": (
        "toeplitz(C)",
        "toeplitz(C, S(3:20))",
        "toeplitz(F(:), G(:))",
    ),
    "blkdiag": (
        "blkdiag(M, N)",
        "blkdiag(M, C, Q)",
    ),
    "del2": (
        "del2(M)",
        "del2(T)",
        "del2(C)",
        "del2(M, 0.5)",
        "del2(F)",
    ),
    "pdist": (
        "pdist(M)",
        "pdist(M, 'cityblock')",
        "pdist(M, 'minkowski', 3)",
    ),
    "pdist2": (
        "pdist2(M, N)",
        "pdist2(M, N, 'minkowski', 3)",
        "pdist2(M, N, 'cosine')",
        "pdist2(H, M, 'hamming')",
        "pdist2(M, N, 'euclidean', 'Smallest', 2)",
        "nthargout(2, @pdist2, M, N, 'euclidean', 'Largest', 3)",
        "pdist2(M, Q)",
        "pdist2(M, N, 'chebychev')",
    ),
    "squareform": ("squareform(pdist(M))",),
    "knnsearch": (
        "knnsearch(M, N)",
        "knnsearch(M, N, 'K', 3)",
        "nthargout(2, @knnsearch, M, N, 'K', 20)",
        "knnsearch(M, N, 'K', 2, 'Distance', 'cityblock')",
    ),
    "filtfilt": (
        "filtfilt([1 1]/2, 1, C)",
        "filtfilt(0.1, [1 -0.9], C)",
        "filtfilt([0.2 0.3], [1 -0.9 0.1], M)",
        "filtfilt(0.1, [1 -0.9], M)",
    ),
    "imresize": (
        "imresize(M, 2)",
        "imresize(R, 0.5)",
        "imresize(U, [5 9], 'nearest')",
        "imresize(M, 2, 'bilinear')",
        "imresize(U, 1.7)",
        "imresize(K, 2)",
        "imresize(F, [16 NaN])",
        "imresize(M, 0)",
    ),
    "imgaussfilt": (
        "imgaussfilt(M, 1)",
        "imgaussfilt(R, 2)",
        "imgaussfilt(U)",
    ),
    "medfilt2": (
        "medfilt2(M)",
        "medfilt2(M + 0 ./ (M > 0.2))",
        "medfilt2(U, [5 5])",
        "medfilt2(M, [1 3])",
        "medfilt2(M, [3 3], 'symmetric')",
        "medfilt2(U, [2 2])",
    ),
    "histc": (
        "histc(M(:), -3:3)",
        "histc(M, -3:3)",
        "histc(M, -3:3, 2)",
        "histc(S, [-1 0 1 2 90])",
        "histc(T, -3:3, 3)",
        "histc(U, 0:16:255)",
        "nthargout(2, @histc, S, [-1 0 1 2 90])",
        "histc(M(:), cumsum([-3; repmat(abs(S(1:4)'), 1500, 1) / 1e4]))",
        "nthargout(2, @histc, single(M), [single(-3) linspace(single(-3), 3, 5000)])",
    ),
    "imhist": ("imhist(P)", "imhist(U)", "imhist(P, 16)", "nthargout(2, @imhist, U)", "imhist(Z)"),
    "graythresh": ("graythresh(P)", "graythresh(U)", "nthargout(2, @graythresh, P)"),
    "histeq": ("histeq(P)", "histeq(U)", "histeq(P, 8)", "nthargout(2, @histeq, U)"),
    **{
        name: (
            *(f"{name}({x}, ones(3))" for x in ("M", "K", "U", "J", "F", "C")),
            f"{name}(M, ones(2, 5))",
            f"{name}(U, [0 1 0; 1 1 1; 0 1 0])",
            f"{name}(M, [1 1 0 1])",
            f"{name}(K, strel('disk', 1))",
            f"{name}(J, ones(40, 1))",
            f"{name}(M, zeros(3))",
        )
        for name in ("imdilate", "imerode", "imopen", "imclose")
    },
    "fillmissing": (
        *(
            f"fillmissing({x}, '{how}')"
            for how in ("previous", "next", "nearest", "linear")
            for x in ("Z", "M", "S", "F", "Z(:)'", "[NaN; NaN; 1; NaN; NaN; 4; 9; NaN]", "Z * NaN")
        ),
        "fillmissing([NaN NaN 2 NaN] + C(13), 'linear')",
        "fillmissing(Z, 'linear', 2)",
        "nthargout(2, @fillmissing, Z, 'previous')",
        "fillmissing(Z, 'constant', 7)",
        "fillmissing(Z, 'constant', 7, 2)",
    ),
    "rmmissing": (
        "rmmissing(S)",
        "rmmissing(Z)",
        "rmmissing(Z(:))",
        "nthargout(2, @rmmissing, S)",
        "nthargout(2, @rmmissing, Z)",
        "rmmissing(M)",
        "rmmissing(Z * NaN)",
        "rmmissing(Z, 2)",
    ),
    "isoutlier": (
        *(f"isoutlier({x})" for x in ("M .^ 5", "Z .^ 3", "S", "C", "F", "T", "Z * NaN")),
        "isoutlier(M .^ 5, 'mean')",
        "isoutlier(Z, 'mean', 2)",
        "nthargout(2, @isoutlier, Z)",
        "nthargout(4, @isoutlier, M)",
        "nthargout(3, @isoutlier, M, 'mean')",
        "isoutlier(M, 'quartiles')",
    ),
    "histcounts": (
        "histcounts(M)",
        "histcounts(M, 5)",
        "histcounts(H, 0:11)",
        "nthargout(2, @histcounts, M, 5)",
        "nthargout(3, @histcounts, M)",
        "nthargout(3, @histcounts, Z, -3:3)",
        "nthargout(3, @histcounts, F, 4)",
    ),
    "histcounts2": (
        "histcounts2(M, N)",
        "histcounts2(M, N, 4)",
        "histcounts2(M, N, 4, 3)",
        "nthargout(2, @histcounts2, M, N, [3 5])",
        "histcounts2(M, N, -3:3, -2:2)",
        "nthargout(4, @histcounts2, M, N, -3:3, -2:2)",
        "histcounts2(Z, N, -3:3, -2:2)",
    ),
    **{
        name: (f"{name}(abs(M))", f"{name}(abs(S))", f"{name}(M)", f"{name}(F .^ 2)", f"{name}(K)")
        for name in ("realsqrt", "reallog")
    },
    "realpow": ("realpow(abs(M), 2)", "realpow(abs(S), 0.5)", "realpow(M, 3)", "realpow(M, 0.5)"),
    "nthroot": (
        "nthroot(S, 3)",
        "nthroot(M, 5)",
        "nthroot(F, 3)",
        "nthroot(abs(M), 4)",
        "nthroot(M, 4)",
        "nthroot(M, -3)",
        "nthroot(abs(S), 2)",
    ),
    "immse": ("immse(R, R * 0.9)", "immse(U, V)", "immse(M, 1)", "immse(M, ones(3))"),
    "psnr": (
        "psnr(R, R * 0.9)",
        "psnr(U, V)",
        "psnr(U, U)",
        "psnr(M, N, 3)",
        "nthargout(2, @psnr, U, V)",
    ),
    **{
        name: tuple(f"{name}({x})" for x in ("M", "U", "K", "F", "S", "R", "2.5"))
        for name in ("mean2", "std2")
    },
    "corr2": ("corr2(M, N)", "corr2(U, V)", "corr2(M, K)", "corr2(R, R)"),
    **{
        name: tuple(
            f"{name}({pair})" for pair in ("M, N", "U, V", "U, 3", "J, 7", "K, B", "F, N", "U, M")
        )
        for name in ("imadd", "imsubtract", "immultiply", "imdivide", "imabsdiff")
    },
    **{
        name: (f"{name}(M, N)", f"{name}(C, C(1:25) * 2)", f"{name}(S, S)", f"{name}(F, F * 2)")
        for name in ("rmse", "mape")
    },
    **{
        name: (f"{name}(M)", f"{name}(F)", f"{name}(Z)", f"{name}(M * 0)", f"{name}(S)")
        for name in ("normc", "normr")
    },
    "lagmatrix": ("lagmatrix(M, [1 -1 0])", "lagmatrix(S, 2)", "lagmatrix(C, [30 -30])"),
    "trimmean": ("trimmean(M, 30)", "trimmean(S, 10)", "trimmean(F, 50)", "trimmean(Z, 20)"),
    "smoothdata": (
        *(f"smoothdata({x})" for x in ("M", "S", "C", "F", "Z", "T")),
        *(f"smoothdata({x}, 'gaussian', 5)" for x in ("M", "S", "C", "F", "Z", "T")),
        "smoothdata(M, 2, 'gaussian', 4)",
        "smoothdata(Z, 'movmedian', 3)",
        "smoothdata(M, 'movmean', [1 2])",
    ),
    "clip": (
        "clip(M, -1, 1)",
        "clip(U, 20, 99)",
        "clip(F, -1, 1)",
        "clip(S, -1, 1)",
        "clip(M, N, 2)",
    ),
    "allfinite": ("allfinite(M)", "allfinite(S)", "allfinite(U)"),
    "anymissing": ("anymissing(M)", "anymissing(Z)", "anymissing(U)"),
    "topkrows": (
        "topkrows(H, 3)",
        "topkrows(H, 3, 2)",
        "topkrows(H, 9, [1 -2], 'ascend')",
        "nthargout(2, @topkrows, H, 3, [2 3])",
        "topkrows(M, 0)",
    ),
    "pow2db": ("pow2db(M)", "pow2db(P)", "pow2db(S)", "pow2db(F)"),
    "db": ("db(M)", "db(P, 'power')", "db(S)", "db(F)", "db(M, 50)"),
    "hilbert": ("hilbert(C)", "hilbert(M)", "hilbert(S(8:24))", "hilbert(C, 30)", "hilbert(F)"),
    "envelope": (
        "envelope(C)",
        "envelope(M)",
        "nthargout(2, @envelope, C)",
        "envelope(C, 3, 'rms')",
    ),
    **{
        name: (
            f"{name}(C)",
            f"{name}(M)",
            f"{name}(Q)",
            f"{name}(S(8:24))",
            f"{name}(M, [], 2)",
            f"{name}(C, 30)",
            f"{name}(C, 12)",
            f"{name}(M, 5, 2)",
            f"{name}(C, 'Type', 3)",
            f"{name}(F)",
        )
        for name in ("dct", "idct")
    },
    **{
        name: (f"{name}(M)", f"{name}(Q)", f"{name}(C)", f"{name}(T)") for name in ("dct2", "idct2")
    },
    **{
        name: (
            *(
                f"{name}(repmat(C, 50, 1){rest})"
                for rest in ("", ", 20", ", 'biased'", ", 9, 'coeff'")
            ),
            f"{name}(repmat(C, 50, 1), repmat(S(8:16)', 120, 1), 'unbiased')",
            f"{name}(repmat(C', 1, 50), repmat(P(:), 21, 1))",
            f"nthargout(2, @{name}, repmat(C, 50, 1), 7)",
            f"{name}(repmat(M, 130, 1), 12, 'normalized')",
            f"{name}(C)",
        )
        for name in ("xcorr", "xcov")
    },
    "pwelch": (
        *(
            f"pwelch(repmat({x}, 8, 1){rest})"
            for x in ("C", "M")
            for rest in (
                "",
                ", 16",
                ", 15, 5, 20",
                ", 16, 8, 32, 100, 'power'",
                ", 16, 8, 32, 'twosided'",
                ", 15, 8, 27, 10, 'centered'",
            )
        ),
        "nthargout(2, @pwelch, repmat(C, 8, 1), 16, 8, 32, 100)",
    ),
    "periodogram": (
        "periodogram(C)",
        "periodogram(M)",
        "periodogram(C, hamming(25))",
        "periodogram(C, [], 64, 10)",
        "periodogram(repmat(C, 12, 1), [], 27, 'centered')",
        "nthargout(2, @periodogram, C, [], 64, 10)",
    ),
    **{
        name: (
            f"{name}(repmat(C, 8, 1), repmat(P(1:25)', 8, 1))",
            f"{name}(repmat(C, 8, 1), repmat(P(1:25)', 8, 1), 16, 8, 32, 100)",
            f"{name}(repmat(M, 8, 1), repmat(N, 8, 1), 16, 8, 32, 'twosided')",
            f"nthargout(2, @{name}, repmat(C, 8, 1), repmat(P(1:25)', 8, 1), 16)",
        )
        for name in ("cpsd", "mscohere", "tfestimate")
    },
    "spectrogram": (
        "spectrogram(repmat(C, 12, 1))",
        "spectrogram(repmat(C, 8, 1), 16, 8, 32)",
        "spectrogram(repmat(C', 1, 8), 15, 3, 27, 10, 'centered')",
        *(f"nthargout({k}, @spectrogram, repmat(C, 8, 1), 16, 8, 32, 10)" for k in (2, 3, 4)),
    ),
    "stft": (
        "stft(repmat(C, 12, 1))",
        "stft(repmat(C, 12, 1), 10, 'Window', hamming(20), 'OverlapLength', 5, 'FFTLength', 27)",
        "stft(repmat(C, 12, 1), 'FrequencyRange', 'onesided')",
        "nthargout(3, @stft, repmat(C, 12, 1), 10)",
    ),
    "conv2": (
        "conv2(M, [1 2; 3 4])",
        "conv2(M, N)",
        "conv2(M, N, 'same')",
        "conv2(repmat(M, 12, 12), repmat(N, 9, 12), 'same')",
        "conv2(repmat(M, 12, 12), repmat(N, 9, 12), 'valid')",
        "conv2(repmat(M, 12, 12), repmat(N, 9, 12))",
    ),
    "upfirdn": (
        "upfirdn(C, [1 2 1], 2, 1)",
        "upfirdn(C', [1 2 1 4], 3, 2)",
        "upfirdn(M, (1:9) / 4, 2, 3)",
        "upfirdn(C, 1, 1, 4)",
        "upfirdn(C, [1 2 1])",
    ),
    "resample": (
        "resample(C, 3, 2)",
        "resample(M, 2, 3)",
        "resample(C', 4, 6)",
        "resample(C, 1, 4, 5)",
        "resample(C, 2, 2)",
        "nthargout(2, @resample, C, 3, 2)",
        "resample(M, 2, 1, 'Dimension', 2)",
    ),
    "interp": ("interp(C, 4)", "interp(C', 3)", "interp(S(8:24), 2)", "interp(C, 1)"),
    "fftfilt": ("fftfilt([1 2 3], C)", "fftfilt([1 2 3], C')", "fftfilt(ones(1, 12) / 12, M)"),
    "sgolayfilt": (
        "sgolayfilt(C, 3, 11)",
        "sgolayfilt(C', 1, 5)",
        "sgolayfilt(M, 2, 7)",
        "sgolayfilt(C, 3, 4)",
        "sgolayfilt(C, 0, 1)",
    ),
    "buffer": ("buffer(C, 4)", "buffer(C', 7, 3)", "buffer(U(:), 5, 1)", "buffer(C, 4, -1)"),
    "conv": (
        "conv(C, [1 2 3])",
        "conv(C', [1 2 3])",
        "conv(C, [1 -1], 'same')",
        "conv(C, [1 2], 'valid')",
        "conv(C, ones(70, 1), 'same')",
        "conv(C', 1:70)",
        "conv([1 2 3], C)",
        "conv(C', [1 2 3]')",
        "conv(C, C')",
        "conv(C', C)",
        "conv(repmat(C, 60, 1), repmat(P(:), 30, 1))",
        "conv(repmat(C', 1, 50), round(repmat(P(:), 40, 1) * 9))",
        "conv(round(repmat(C, 50, 1) * 5), round(repmat(P(:), 40, 1) * 9))",
        "conv(repmat(S', 60, 1), repmat(P(:), 30, 1))",
        "conv(repmat(C, 60, 1), repmat(P(:), 30, 1), 'same')",
    ),
    "inpolygon": (
        "inpolygon(M, N, [-1 1 1 -1], [-1 -1 1 1])",
        "inpolygon(round(M), round(N), [-1 1 1 -1], [-1 -1 1 1])",
        "nthargout(2, @inpolygon, round(M), round(N), [-1 1 1 -1]', [-1 -1 1 1]')",
        "inpolygon(M, N, [-2 2 2 -2 NaN -1 1 1 -1], [-2 -2 2 2 NaN -1 -1 1 1])",
        "inpolygon(Z, N, cos(1:9), sin(1:9) * 2)",
        "inpolygon(F, N, [0 2 1], [0 0 2])",
        "inpolygon(J, J, [0 20 10], [0 0 40])",
        "inpolygon(S, S', [0 2 1], [0 0 2])",
        "inpolygon(M, N, [0 1 2], [0 1])",
    ),
}
"""Per builtin; among them calls that only the host does, whose errors and results must be its."""
