if [1 1 0], disp('t'), else, disp('f'), end
if [1 2; 3 4], disp('t'), end, if 'a', disp('t'), end, if '', disp('t'), else, disp('empty'), end, if -1, disp('t'), end
