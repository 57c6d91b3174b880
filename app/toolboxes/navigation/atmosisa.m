function [t, a, p, rho] = atmosisa(h)
% [t, a, p, rho] = atmosisa(h): temperature (K), speed of sound (m/s), pressure (Pa) and density (kg/m^3) of the
%   standard atmosphere at heights from 0 to 20000 m; above and below, as there.
h = min(max(h, 0), 20000);
[t0, lapse, p0, g, r] = deal(288.15, 0.0065, 101325, 9.80665, 287.0531);
low = min(h, 11000);
t = t0 - lapse*low;
p = p0*(t/t0).^(g/(lapse*r)).*exp(-g./(r*t).*max(h - 11000, 0));
rho = p./(r*t);
a = sqrt(1.4*r*t);
end
