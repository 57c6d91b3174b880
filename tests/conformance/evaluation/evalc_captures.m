t = evalc('disp(5)'); disp(strtrim(t)); t = evalc('fprintf(''a\n'');'); disp(double(t)); t = evalc('q = 1;'); disp(isempty(t)); disp(q);
