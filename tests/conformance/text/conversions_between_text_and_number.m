num2str(3), str2num('4'), double('1'), char(49), '1' + 1, ['1' + 1, ''], int2str(3.6), sprintf('%d', int8(5)), str2double('abc'), mat2str([0.1 1/3], 4)
