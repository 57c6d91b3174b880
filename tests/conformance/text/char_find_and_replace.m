s = 'a-b-c'; s(s == '-') = '_', strrep(s, '_', ''), find(s == '_'), strsplit(s, '_'), numel(strfind(s, '_')), index_ = strfind(s, 'zz')
