import { complain, textsOf } from '../check-files.ts';
import { layerComplaints } from './complaints.ts';
import { importsOf } from './imports-of.ts';
import { roomComplaints } from './rooms.ts';
import { serviceNames } from './service-names.ts';

const texts = [...textsOf('**/*.ts')];
const files = texts.map(([file]) => file);
const imports = texts.flatMap(([file, text]) => importsOf(file, text));
complain([
  ...layerComplaints(files, imports),
  ...roomComplaints(files, imports),
  ...texts.flatMap(([file, text]) => serviceNames(file, text)),
]);
