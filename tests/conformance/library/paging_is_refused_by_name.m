% oracle: the programs' own notice
% dialect: matlab
more off
more(0)
lastwarn('');
for state = {'on', "on", 20}
    s = warning('off', 'Fuselab:more:neverPages');
    more(state{1})
    warning(s);
    [text, id] = lastwarn;
    disp(id)
    disp(strtok(text, '.'))
    lastwarn('');
end
