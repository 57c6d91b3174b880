% oracle: numbers never match text
switch [], case 1, disp('one'); otherwise, disp('empty goes to otherwise'); end
switch 'a', case 97, disp('number'); otherwise, disp('text is not a number'); end
