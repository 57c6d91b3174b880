function r = small_date_arithmetic()
r = 0; for y = 1900:2100, if (mod(y, 4) == 0 && mod(y, 100) ~= 0) || mod(y, 400) == 0, r = r + 1; end, end
end
