function r = small_dynamic_fields()
s = struct(); for k = 1:200, f = sprintf('f%d', mod(k, 20)); if isfield(s, f), s.(f) = s.(f) + k; else, s.(f) = k; end, end
r = s.f3;
end
