% dialect: matlab
% oracle: MATLAB flushes after each write unless the permission is W or A, as its documentation of fopen says
n = tempname; f = fopen(n, 'w'); fprintf(f, 'abc\n'); disp(fileread(n)); fwrite(f, 65);
g = fopen(n); disp(fgetl(g)); disp(char(fread(g, 1))); fclose(g);
fputs(f, 'x'); fwrite(f, [66 67], 'uint8', 1); disp(dir(n).bytes); fclose(f);
f = fopen(n, 'a+'); fprintf(f, 'end'); t = fileread(n); disp(t(end-2:end)); fclose(f);
f = fopen(n, 'r+'); fprintf(f, 'X'); t = fileread(n); disp(t(1:3)); disp(fread(f, 2, '*char')'); fclose(f);
f = fopen(n, 'W'); fprintf(f, 'kept'); disp(isempty(fileread(n))); fclose(f); disp(fileread(n)); delete(n)
