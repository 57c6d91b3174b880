% dialect: matlab
% oracle: Octave has no import options
f = [tempname '.csv']; writelines(["a,b,c,d", "1,2,x,5", "3,,y,6"], f);
o = detectImportOptions(f)
s = spreadsheetImportOptions('NumVariables', 2)
delete(f);
