function r = small_number_formatting()
r = 0; for k = 1:200, r = r + numel(num2str(k*pi)) + numel(num2str(k)) + numel(mat2str([k k+1])); end
end
