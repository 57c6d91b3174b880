% Octave's dialect takes arrays as subjects: a label matches where all elements do.
for x = {[1 2], [1 3], 'a', 5, []}
    switch x{1}
        case {[1 2], 5}
            disp('found')
        case 'a'
            disp('text')
        otherwise
            disp('other')
    end
end
