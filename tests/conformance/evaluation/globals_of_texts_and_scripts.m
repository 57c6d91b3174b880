1;
function show_shared(), global Shared_Z Shared_There, disp(Shared_Z), disp(Shared_There), end
function in_a_function(), eval('global Shared_Z; Shared_Z = Shared_Z + 1;'); Shared_Z = Shared_Z + 1; show_shared(), end
eval('global Shared_Z; Shared_Z = 4;'); Shared_Z = Shared_Z + 1; disp(Shared_Z)
addpath support, declares_a_global; Shared_There.b = Shared_There.a + 1; show_shared(), in_a_function()
names = {'Shared_A', 'Shared_B'}; for k = 1:2, eval(sprintf('global %s; %s = %d;', names{k}, names{k}, k)); end, disp(Shared_A + Shared_B)
