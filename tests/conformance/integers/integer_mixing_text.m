% oracle: MATLAB's texts
try, int8(1) + int16(1), catch e, disp(e.message), disp(e.identifier), end
