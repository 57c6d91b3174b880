% A package's own poissrnd asks Octave's randp: the two do not call one another for ever.
d = tempname; mkdir(d);
f = fopen(fullfile(d, 'poissrnd.m'), 'w'); fprintf(f, 'function r = poissrnd(l, s)\nr = randp(l, s);\n'); fclose(f);
addpath(d);
r = poissrnd(4, [2 3]); disp(size(r)), disp(all(r(:) >= 0 & r(:) == fix(r(:))))
rmpath(d); delete(fullfile(d, 'poissrnd.m')); rmdir(d);
