% oracle: MATLAB's documented encodings and byte orders of fopen; a character that an encoding lacks is replaced
% dialect: matlab
name = [tempname '.txt'];
fid = fopen(name, 'w', 'n', ''); fprintf(fid, 'é%d\n', 5); [~, ~, ~, used] = fopen(fid); fclose(fid); disp(used);
disp(dir(name).bytes);
fid = fopen(name, 'w', '', 'ISO-8859-1'); fprintf(fid, 'é€'); fclose(fid); fid = fopen(name); disp(fread(fid)'); fclose(fid);
fid = fopen(name, 'r', 'n', 'latin1'); disp(double(fgetl(fid))); fclose(fid);
try, fopen(name, 'r', 'n', 'nosuch'); catch e, disp(e.identifier); end
try, fopen(name, 'r', 'n', 'hex'); catch e, disp(e.identifier); end
try, fopen(name, 'r', 'q'); catch e, disp(e.identifier); end
delete(name);
