function tf = isaxes(h)
% tf = isaxes(h): which elements of h are handles of axes (Octave's).
tf = false(size(h));
for k = 1:numel(h)
    tf(k) = isgraphics(h(k)) && strcmp(get(h(k), 'Type'), 'axes');
end
end
