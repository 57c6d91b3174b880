"""Densities, distribution functions, quantiles, random numbers and moments, by name."""

from __future__ import annotations

import numpy as np

from app.engine.arguments.call_context import CallContext
from app.engine.arguments.checks import one_of
from app.engine.declarations.registry import builtin
from app.engine.values import (
    Value,
    as_array,
    canonical,
    is_text_scalar,
)
from app.toolboxes.statistics import distribution_kinds as kinds
from app.toolboxes.statistics.distribution_functions import (
    declare_cdf,
    declare_inv,
    declare_pdf,
    declare_rnd,
    declare_stat,
    random_numbers,
)

declare_pdf("normpdf", kinds.NORM, "abs(normpdf(0) - 1/sqrt(2*pi)) < eps")
declare_cdf("normcdf", kinds.NORM, "normcdf(0) == 0.5")
declare_inv("norminv", kinds.NORM, "abs(norminv(0.975) - 1.959963984540054) < 1e-14")
declare_rnd("normrnd", kinds.NORM, "isequal(size(normrnd(0, 1, 2, 3)), [2 3])")
declare_stat("normstat", kinds.NORM, "isequal(normstat(3, 2), 3)")
declare_pdf("unifpdf", kinds.UNIF, "unifpdf(0.5) == 1")
declare_cdf("unifcdf", kinds.UNIF, "unifcdf(3, 2, 4) == 0.5")
declare_inv("unifinv", kinds.UNIF, "unifinv(0.25, 0, 8) == 2")
declare_rnd("unifrnd", kinds.UNIF, "all(unifrnd(2, 3, 1, 9) >= 2)")
declare_stat("unifstat", kinds.UNIF, "unifstat(0, 2) == 1")
declare_pdf("exppdf", kinds.EXP, "abs(exppdf(0, 2) - 0.5) < eps")
declare_cdf("expcdf", kinds.EXP, "expcdf(0) == 0")
declare_inv("expinv", kinds.EXP, "expinv(0) == 0")
declare_rnd("exprnd", kinds.EXP, "exprnd(1) >= 0")
declare_stat("expstat", kinds.EXP, "expstat(3) == 3")
declare_pdf("gampdf", kinds.GAM, "abs(gampdf(1, 1) - exp(-1)) < eps")
declare_cdf("gamcdf", kinds.GAM, "gamcdf(0, 2) == 0")
declare_inv("gaminv", kinds.GAM, "gaminv(0, 2) == 0")
declare_rnd("gamrnd", kinds.GAM, "gamrnd(2, 1) >= 0")
declare_stat("gamstat", kinds.GAM, "gamstat(2, 3) == 6")
declare_pdf("betapdf", kinds.BETA, "abs(betapdf(0.5, 1, 1) - 1) < 8*eps")
declare_cdf("betacdf", kinds.BETA, "abs(betacdf(0.5, 2, 2) - 0.5) < eps")
declare_inv("betainv", kinds.BETA, "abs(betainv(0.5, 2, 2) - 0.5) < 1e-12")
declare_rnd("betarnd", kinds.BETA, "betarnd(2, 2) <= 1")
declare_stat("betastat", kinds.BETA, "betastat(1, 1) == 0.5")
declare_pdf("tpdf", kinds.T, "abs(tpdf(0, 1) - 1/pi) < eps")
declare_cdf("tcdf", kinds.T, "tcdf(0, 5) == 0.5")
declare_inv("tinv", kinds.T, "abs(tinv(0.975, 10) - 2.228138851964939) < 1e-10")
declare_rnd("trnd", kinds.T, "isfinite(trnd(5))")
declare_stat("tstat", kinds.T, "tstat(5) == 0")
declare_pdf("chi2pdf", kinds.CHI2, "chi2pdf(-1, 2) == 0")
declare_cdf("chi2cdf", kinds.CHI2, "abs(chi2cdf(2, 2) - (1 - exp(-1))) < eps")
declare_inv("chi2inv", kinds.CHI2, "abs(chi2inv(0.95, 1) - 3.841458820694124) < 1e-10")
declare_rnd("chi2rnd", kinds.CHI2, "chi2rnd(3) >= 0")
declare_stat("chi2stat", kinds.CHI2, "chi2stat(4) == 4")
declare_pdf("fpdf", kinds.F, "fpdf(-1, 2, 2) == 0")
declare_cdf("fcdf", kinds.F, "abs(fcdf(1, 2, 2) - 0.5) < eps")
declare_inv("finv", kinds.F, "abs(finv(0.5, 2, 2) - 1) < 1e-12")
declare_rnd("frnd", kinds.F, "frnd(3, 4) >= 0")
declare_stat("fstat", kinds.F, "abs(fstat(3, 4) - 2) < eps")
declare_pdf("lognpdf", kinds.LOGN, "lognpdf(-1) == 0")
declare_cdf("logncdf", kinds.LOGN, "logncdf(1) == 0.5")
declare_inv("logninv", kinds.LOGN, "abs(logninv(0.5) - 1) < eps")
declare_rnd("lognrnd", kinds.LOGN, "lognrnd(0, 1) > 0")
declare_stat("lognstat", kinds.LOGN, "abs(lognstat(0, 1) - exp(0.5)) < 1e-14")
declare_pdf("wblpdf", kinds.WBL, "abs(wblpdf(1, 1, 1) - exp(-1)) < eps")
declare_cdf("wblcdf", kinds.WBL, "wblcdf(0, 1, 2) == 0")
declare_inv("wblinv", kinds.WBL, "wblinv(0, 1, 2) == 0")
declare_rnd("wblrnd", kinds.WBL, "wblrnd(1, 2) >= 0")
declare_stat("wblstat", kinds.WBL, "abs(wblstat(2, 1) - 2) < 1e-14")
declare_pdf("raylpdf", kinds.RAYL, "raylpdf(0) == 0")
declare_cdf("raylcdf", kinds.RAYL, "raylcdf(0) == 0")
declare_inv("raylinv", kinds.RAYL, "raylinv(0) == 0")
declare_rnd("raylrnd", kinds.RAYL, "raylrnd(1) >= 0")
declare_stat("raylstat", kinds.RAYL, "abs(raylstat(1) - sqrt(pi/2)) < 1e-14")
declare_pdf("evpdf", kinds.EV, "abs(evpdf(0) - exp(-1)) < eps")
declare_cdf("evcdf", kinds.EV, "abs(evcdf(0) - (1 - exp(-1))) < eps")
declare_inv("evinv", kinds.EV, "evinv(0) == -Inf")
declare_rnd("evrnd", kinds.EV, "isfinite(evrnd(0, 1))")
declare_pdf("gevpdf", kinds.GEV, "gevpdf(0) > 0")
declare_cdf("gevcdf", kinds.GEV, "abs(gevcdf(0) - exp(-1)) < eps")
declare_inv("gevinv", kinds.GEV, "abs(gevinv(exp(-1))) < 1e-12")
declare_rnd("gevrnd", kinds.GEV, "isfinite(gevrnd(0, 1, 0))")
declare_pdf("gppdf", kinds.GP, "gppdf(0) == 1")
declare_cdf("gpcdf", kinds.GP, "gpcdf(0) == 0")
declare_inv("gpinv", kinds.GP, "gpinv(0) == 0")
declare_rnd("gprnd", kinds.GP, "gprnd(0, 1, 0) >= 0")
declare_pdf("binopdf", kinds.BINO, "abs(binopdf(1, 2, 0.5) - 0.5) < 8*eps")
declare_cdf("binocdf", kinds.BINO, "abs(binocdf(1, 2, 0.5) - 0.75) < eps")
declare_inv("binoinv", kinds.BINO, "binoinv(0.5, 10, 0.5) == 5")
declare_rnd("binornd", kinds.BINO, "binornd(5, 1) == 5")
declare_stat("binostat", kinds.BINO, "binostat(10, 0.5) == 5")
declare_pdf("poisspdf", kinds.POISS, "abs(poisspdf(0, 1) - exp(-1)) < eps")
declare_cdf("poisscdf", kinds.POISS, "abs(poisscdf(0, 1) - exp(-1)) < eps")
declare_inv("poissinv", kinds.POISS, "poissinv(0.5, 3) == 3")
declare_rnd(
    "poissrnd",
    kinds.POISS,
    "poissrnd(4) >= 0",
    "x = poissrnd(5e11, 30, 30); all(x(:) > 0) && abs(mean(x(:))/5e11 - 1) < 1e-6",
)
declare_stat("poisstat", kinds.POISS, "poisstat(4) == 4")
declare_pdf("geopdf", kinds.GEO, "geopdf(0, 0.5) == 0.5")
declare_cdf("geocdf", kinds.GEO, "geocdf(1, 0.5) == 0.75")
declare_inv("geoinv", kinds.GEO, "geoinv(0.75, 0.5) == 1")
declare_rnd("geornd", kinds.GEO, "geornd(0.5) >= 0")
declare_stat("geostat", kinds.GEO, "geostat(0.5) == 1")
declare_pdf("nbinpdf", kinds.NBIN, "abs(nbinpdf(0, 1, 0.5) - 0.5) < 8*eps")
declare_cdf("nbincdf", kinds.NBIN, "abs(nbincdf(1, 1, 0.5) - 0.75) < eps")
declare_inv("nbininv", kinds.NBIN, "nbininv(0.75, 1, 0.5) == 1")
declare_rnd("nbinrnd", kinds.NBIN, "nbinrnd(2, 0.5) >= 0")
declare_stat("nbinstat", kinds.NBIN, "nbinstat(1, 0.5) == 1")
declare_pdf("hygepdf", kinds.HYGE, "abs(hygepdf(1, 2, 1, 1) - 0.5) < 1e-14")
declare_cdf("hygecdf", kinds.HYGE, "hygecdf(1, 2, 1, 1) == 1")
declare_inv("hygeinv", kinds.HYGE, "hygeinv(1, 2, 1, 1) == 1")
declare_rnd("hygernd", kinds.HYGE, "hygernd(2, 1, 2) == 1")
declare_stat("hygestat", kinds.HYGE, "hygestat(2, 1, 2) == 1")
declare_pdf("unidpdf", kinds.UNID, "unidpdf(1, 4) == 0.25")
declare_cdf("unidcdf", kinds.UNID, "unidcdf(2, 4) == 0.5")
declare_inv("unidinv", kinds.UNID, "unidinv(0.5, 4) == 2")
declare_rnd("unidrnd", kinds.UNID, "unidrnd(1) == 1")
declare_stat("unidstat", kinds.UNID, "unidstat(3) == 2")


declare_stat("evstat", kinds.EV, "abs(evstat(0, 1) + 0.5772156649015329) < 1e-12")
declare_stat("gevstat", kinds.GEV, "abs(gevstat(0, 1, 0) - 0.5772156649015329) < 1e-12")
declare_stat("gpstat", kinds.GP, "abs(gpstat(0.25, 3, 0) - 4) < 1e-12")
declare_pdf("ncfpdf", kinds.NCF, "abs(ncfpdf(1, 4, 5, 0.5) - 0.4) < 0.1")
declare_cdf("ncfcdf", kinds.NCF, "abs(ncfcdf(1, 4, 5, 1e-9) - fcdf(1, 4, 5)) < 1e-6")
declare_inv("ncfinv", kinds.NCF, "abs(ncfcdf(ncfinv(0.3, 4, 5, 2), 4, 5, 2) - 0.3) < 1e-6")
declare_pdf("nctpdf", kinds.NCT, "abs(nctpdf(0, 5, 0) - tpdf(0, 5)) < 1e-9")
declare_cdf("nctcdf", kinds.NCT, "abs(nctcdf(1, 5, 0) - tcdf(1, 5)) < 1e-9")
declare_inv("nctinv", kinds.NCT, "abs(nctcdf(nctinv(0.3, 5, 1), 5, 1) - 0.3) < 1e-6")
declare_pdf("ncx2pdf", kinds.NCX2, "abs(ncx2pdf(2, 3, 1e-9) - chi2pdf(2, 3)) < 1e-6")
declare_cdf("ncx2cdf", kinds.NCX2, "abs(ncx2cdf(2, 3, 1e-9) - chi2cdf(2, 3)) < 1e-6")
declare_inv("ncx2inv", kinds.NCX2, "abs(ncx2cdf(ncx2inv(0.01, 4, 2), 4, 2) - 0.01) < 1e-9")


@builtin(
    "randg",
    category="distributions",
    signatures=(
        "r = randg",
        "r = randg(a, m, n, ...)",
        "r = randg(a, ..., class)",
        "randg('seed', n)",
    ),
    cases=(
        "isequal(size(randg(2, 1, 3)), [1 3])",
        "randg >= 0",
        "randg('seed', 3); r = randg(2); randg('seed', 3); r == randg(2)",
    ),
    see=("gamrnd",),
)
def randg(ctx: CallContext, a: Value = 1.0, *size: Value) -> Value:
    """Random numbers with the gamma distribution of shape a and scale 1, as double or single."""
    if is_text_scalar(a):
        return ctx.call("rand", (a, *size), 1 if len(size) == 0 else 0)
    single = False
    if size and is_text_scalar(size[-1]):
        single = one_of("randg", "class", size[-1], "double single") == "single"
        size = size[:-1]
    made = random_numbers(ctx, "randg", kinds.GAM, (a, 1.0, *size))
    return canonical(np.asarray(as_array(made)).astype(np.float32)) if single else made
