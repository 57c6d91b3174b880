str2num('[1 2; 3 4]'), str2double({'1', 'a', '2e3'}), str2double('1,000'), str2double('1+2i'), hex2dec('FF'), dec2bin(5), dec2hex(255), bin2dec('101'), dec2bin(2, 5), dec2base(10, 3)
