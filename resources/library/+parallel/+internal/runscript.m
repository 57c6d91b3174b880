function made_ = runscript(script_, held_)
% Run a script with the variables in a struct; gives its variables afterwards.
for name_ = fieldnames(held_)'
    eval([name_{1} ' = held_.(name_{1});']);
end
[~, word_] = fileparts(script_);
eval([word_ ';']);
made_ = struct();
for name_ = who()'
    if ~any(strcmp(name_{1}, {'script_', 'held_', 'name_', 'word_', 'made_'}))
        made_.(name_{1}) = eval(name_{1});
    end
end
end
