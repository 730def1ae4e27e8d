// Every word of the workshop in Turkish; `typeof tr` is what the English must say too.
// `code` in backticks and *strong* in asterisks are set by `rich`.
import { count } from "../../format";
import type { Id } from "../exercises/exercise";
import type { Common } from "../messages";
import type { Rule } from "../rules";

const n = (value: number) => count("tr", value);

interface ExerciseWords {
  readonly name: string;
  readonly goal: string;
  readonly hints: readonly [string, string, string];
  /** What it was about, once it is solved. */
  readonly lesson: string;
}

const exercises: { readonly [id in Id]: ExerciseWords } = {
  bounds: {
    name: "Sınır",
    goal: "Son [workgroup](#g-workgroup)’taki fazla [thread](#g-thread)’ler dizinin arkasına yazmasın.",
    hints: [
      "Resme bak: 12 eleman var, ama 8’lik workgroup’lardan iki tane gerekiyor. Kaç thread çalışıyor, kaçı işsiz?",
      "İşsiz bir thread’in `i` değeri en az `N · D`. Bu sayı `dims` içinde hazır: `dims.x * dims.y`.",
      "`i` hesaplandıktan hemen sonra, hiçbir dizini okumadan önce: `if (i >= …) { return; }`",
    ],
    lesson:
      "Thread sayısı workgroup’a yuvarlanır, eleman sayısı yuvarlanmaz. Fazla thread’ler bir şey yazarsa, [arabelleğin](#g-buffer) arkasında ne varsa o bozulur: burada [bekçi değerler](#g-sentinel), gerçekte başka bir tablo. Arabellek tam boyundaysa WebGPU taşan yazıyı sessizce atar ya da son elemana yazar; hata yalnızca boş kalan yerde görünür.",
  },
  nan: {
    name: "NaN",
    goal: "±0, ±Inf ve NaN olan gradyanlar toplanmasın; NaN’ı da yakala.",
    hints: [
      "`abs(val) > 3.4e38` Inf için doğrudur. NaN ise `<`, `>` ve `==` sınavlarının hepsinden `false` alır: bu kapıdan geçer.",
      "Kâğıt üstünde `val != val` yalnız NaN için `true`’dur; ama WGSL derleyicisi NaN hiç yokmuş gibi davranabilir ve bu karşılaştırmayı silebilir. Float’ları karşılaştırma; bitlerine bak: `bitcast<u32>(val)`.",
      "Üs bitleri `0x7f800000u`. Hepsi 1 ise sayı Inf ya da NaN’dır: `(bits & 0x7f800000u) == 0x7f800000u`. Bitler okunduğu gibi kalsın istersen `grad_out` dizisini `array<u32>` yap.",
    ],
    lesson:
      "Bir NaN bir hücreye bir kez girerse hücre NaN kalır, oradan bütün modele yayılır. WGSL derleyicisine NaN ve Inf’in hiç olmadığını varsayma izni verir; güvenilir tek sınav, sayının bitleridir.",
  },
  packed: {
    name: "f16",
    goal: "D tek sayı olduğunda da her [f16](#g-f16)’yı doğru `u32`’den, doğru yarıdan oku.",
    hints: [
      "İki f16 bir `u32`’ye sığar, satırlar arasında boşluk yok. D = 3 ise 1. satır kaçıncı `u32`’nin hangi yarısında başlar?",
      "D, burada `dims.y`. `dims.y / 2u` tek D’de yarım elemanı kaybeder. Önce elemanın bütün tablodaki sırasını bul: `k = t * D + d`.",
      "Okunacak `u32`, `k / 2u` numaralı; yarısı `k % 2u`: 0 ise `pair.x`, 1 ise `pair.y`.",
    ],
    lesson:
      "WGSL’in kendi f16’sı, `shader-f16`, her aygıtta yoktur; olmayan yerde f16 tablo `u32` olarak okunur. D çiftken her satır bir `u32`’nin başında başlar ve yanlış adres hesabı hiç görünmez; D tekse 0. satırdan sonraki her satır kayar.",
  },
  race: {
    name: "Yarış",
    goal: "Aynı hücreye yazan thread’ler birbirinin toplamasını silmesin.",
    hints: [
      "Oku, topla, yaz: üç adım. İki thread aynı eski değeri okursa ikisi de kendi toplamını yazar, biri kaybolur. Hücrenin hâlâ okuduğun değer olduğunu yazarken denetlemelisin.",
      "WGSL’de atomik f32 yok, atomik u32 var: tabloyu `array<atomic<u32>>` yap, bitlerle çalış: `atomicLoad`, `bitcast<f32>`, topla, `bitcast<u32>`.",
      "`atomicCompareExchangeWeak(&grad_table[cell], old_bits, new_bits)` yazabildiyse sonucunun `.exchanged` alanı `true`’dur. Yazamadıysa `.old_value` hücrenin şimdiki değeridir: onunla yeniden dene, `loop` içinde.",
    ],
    lesson:
      "[Kıyasla ve değiştir](#g-cas), bölünmez tek adımdır: hücre senin okuduğun bitleri taşıyorsa yazar, yoksa yenisini verir. Kıyas u32 ile yapılır; float kıyaslansaydı, içinde NaN olan bir hücre döngüyü hiç bitirmezdi.",
  },
  sum: {
    name: "Atomiksiz",
    goal: "Atomik kullanmadan topla: her hücreye tek bir thread yazsın, her koşuda aynı bitler çıksın.",
    hints: [
      "Verilen kernel aynı token’ların yan yana durduğuna güveniyor. `tokens = [2, 1, 2]` olunca 2. satırın kaç sahibi var?",
      "Satırın sahibi, token’ın *ilk* konumu olsun: kendinden önce aynı token varsa thread çekilsin. Bunun için `s`’den önceki konumların hepsine bakmak gerek.",
      "Sahip, kendinden sonraki *bütün* konumlara bakar, eşit olanları sırayla toplar; ilk farklı token’da durmaz.",
    ],
    lesson:
      "Hücreyi tek bir thread yazınca ne yarış kalır ne atomik, ve toplama sırası hep aynıdır: aynı bitler. Bedeli, her thread’in bütün konumları okuması. Bu projenin varsayılan kerneli önce konumları token’a göre sıralar; verilen kernelin güvendiği dizilim budur.",
  },
  free: {
    name: "Serbest",
    goal: "`embed_lookup` kernelini boş gövdeden kendin yaz: `out[s, d] = table[tokens[s], d]`, sözlük dışında 0.",
    hints: [
      "Her thread bir eleman: `let i = gid.y * nwg.x * GROUP + gid.x;`. Workgroup’lar tek sıraya sığmayınca ızgara katlanır: `gid.x` bir sıradaki yer, `gid.y` kaçıncı sıra. Ardından sınır denetimi.",
      "Konum `s = i / D`, sütun `d = i % D`, token `t = tokens[s]`; her biri bir `let`.",
      "`t >= V` ise `out[i] = 0.0;`, değilse `out[i] = table[t * D + d];`. N, `dims.x`; D, `dims.y`; V, `dims.z`.",
    ],
    lesson: "Gömme katmanının ileri geçişi bu kadar: bir bölme, bir kalan, iki okuma, bir yazma. Gerisi bellek.",
  },
  fixed: {
    name: "Sabit nokta",
    goal: "Tam sayı atomikleriyle topla: üç koşu aynı bitleri versin, hata, eklenen sayı başına 2⁻¹⁶’yı geçmesin, ±16.384’e kadar taşmasın.",
    hints: [
      "Tam sayı toplaması sıraya bakmaz; `atomicAdd` yeter. Kaybolan şey başka: `SCALE = 16` ile en küçük adım 1/16.",
      "Yuvarlama hatası, eklenen sayı başına en çok yarım adımdır. Hata sınırı 2⁻¹⁶ ise adım en çok ne olabilir?",
      "Adım küçüldükçe menzil daralır: `i32` en çok 2³¹ − 1 tutar. 16.384 · SCALE bunun altında kalmalı.",
    ],
    lesson:
      "Sıra artık önemsiz: aynı bitler, hem de döngüsüz. Karşılığında kayan noktanın verdiği iki şeyi yitirdin: yarım adımın altındaki gradyanlar yok olur, ±32.768’e varan toplamlar taşar (SCALE = 65536 iken). f32’nin adımı sayıyla birlikte büyür: çok daha küçüğünü tutar, 3,4 · 10³⁸’e kadar taşmaz; ama büyük bir toplama eklenen küçük sayı orada da kaybolur, bu yüzden sıra önemlidir.",
  },
};

const common: { readonly [key in Common]: string } = {
  unknown:
    "Bu ad burada tanımlı değil: yazımına, ve kullanıldığı yerden önce `let`, `var` ya da `fn` ile tanımlandığına bak.",
  semicolon: "Bir `;` eksik; çoğu kez bir önceki satırın sonunda.",
  bracket: "Burada bir ayraç eksik ya da fazla, veya bu söz buraya ait değil.",
  types:
    "Türler uyuşmuyor: WGSL bir değişkenin türünü kendiliğinden çevirmez. `u32`, `i32`, `f32` arasında `u32(…)`, `f32(…)` yaz. `1u` hep `u32`, `1.0` hep kesirlidir; eki olmayan `1` ise tam sayıya da kesirliye de uyar.",
  assign: "`let` ve parametreler değiştirilemez; değişecek olanı `var` ile tanımla.",
  returns:
    "Adının yanında `-> tür` yazan fonksiyon, her yolun sonunda o türde bir değer döndürür; yazmayan hiç değer döndürmez.",
  atomic:
    "Atomik bir hücre doğrudan okunup yazılmaz: `atomicLoad(&a[i])`, `atomicStore(&a[i], x)`, `atomicAdd(&a[i], x)`; `&` gerekir.",
  uniform:
    "Bariyere bütün thread’ler birlikte gelmeli: bir kısmının önceden `return` ettiği ya da girmediği bir kolda durmaz.",
  pointer: "Burada bir gösterici (`&a[i]`) ile değerin kendisi karışmış.",
  f16: "`f16` her aygıtta yok; bu alıştırmalar onsuz çözülür (`unpack2x16float`).",
  reserved: "Bu ad WGSL’de ayrılmış bir kelime; başka bir ad seç.",
  const: "Burada derlenirken bilinen bir sayı gerekir: `const` ya da düz bir sayı.",
  arguments: "Bu fonksiyon bu sayıda ya da bu türde argüman almıyor.",
  access: "Bu değişken yalnız okunur; yazmak için `var<storage, read_write>` gerekir (alıştırmada çıktı, binding 2).",
  redeclared: "Bu ad aynı yerde iki kez tanımlanmış.",
  character:
    "Bu karakter WGSL’de yok. `a ? b : c` yerine `select(c, b, a)`, `#` yerine `//` yazılır; tırnaklı metin de yoktur.",
  declare: "Değişken `let ad = …;` ya da `var ad: f32 = …;` ile tanımlanır; C’deki gibi `float ad` yazılmaz.",
  loop: "Döngünün çıkışı yok: bir `break` ya da koşul gerekir.",
  atomicType: "`atomic<f32>` yok: `atomic<u32>` yaz, sayının bitleriyle çalış (`bitcast`).",
  atomicPlain:
    "Bu dizi atomik bildirilmemiş: `atomicAdd` ve benzerleri için bildirimi `array<atomic<u32>>` (ya da `i32`) olmalı.",
  atomicValue:
    "Hücre `u32` (ya da `i32`) tutuyor, verilen değer başka türde. Tam sayıya `u32(x)`, bir float’ın bitlerine `bitcast<u32>(x)` ile geçilir.",
  exchange:
    "`atomicCompareExchangeWeak` iki alanlı bir sonuç verir: `.exchanged` (yazdı mı) ve `.old_value` (hücredeki).",
  range: "Bu sayı bu türe sığmaz: `u32` eksi tutmaz, `u32` ile `i32` 32 bittir.",
  print: "WGSL’de `print` yok; değeri `out[i]`’ye yazıp sonuçta ona bak.",
  typeName: "WGSL’in türleri `u32` (eksisiz tam sayı), `i32`, `f32` ve `bool`; `int`, `float` gibi adlar yok.",
  isNan: "WGSL’de `isnan`, `isinf`, `NaN` ve `Inf` yok; sayının bitlerine bakılır: `bitcast<u32>(x) & 0x7f800000u`.",
  length:
    "Uzunluğu `arrayLength(&dizi)` verir; buradaki kernellerde boyutlar `dims` içinde hazır. `range` yok, `for` var.",
  words: "WGSL’de `and`, `or`, `not` yerine `&&`, `||`, `!` yazılır; `true` ve `false` küçük harflidir.",
  elseIf: "`elif` yerine `else if (…) { … }` yazılır.",
  forLoop: "Döngü şöyle yazılır: `for (var k = 0u; k < n; k += 1u) { … }`.",
  braces: "WGSL’de girinti ve `:` blok açmaz; koşuldan ve döngüden sonra `{ … }` gelir.",
  equality: "Eşitlik `==`, eşitsizlik `!=` ile sorulur; tek `=` atamadır, koşulun içinde durmaz.",
  power: "`**` yok: tam sayıyı kendisiyle çarp, float için `pow(x, y)`.",
  increment: "`i++` bir değer vermez; `i++;` diye tek başına durur ve `i`, `var` olmalıdır.",
  cast: "Tür çevirmek fonksiyon gibi yazılır: `(float)i` değil, `f32(i)`.",
  division:
    "`//` tam sayı bölmesi değildir, yorum başlatır; bölme `/` ile yapılır ve `u32`’de kalanı atar. Amacın yorumsa önüne `;` gerekir.",
  statement:
    "Bir değer tek başına komut olmaz: ya bir ada ver (`let x = …;`), ya bir yere yaz (`out[i] = …;`), ya da sil.",
  mixing: "Bu işleçler yan yana ayraç ister: `(a & b) == c`, `(a && b) || c`. `&` bitleri, `&&` koşulları birleştirir.",
  field:
    "Bu adla bir alan yok. `dims` içinde N, D, V sırasıyla `dims.x`, `dims.y`, `dims.z`; `gid` de `.x`, `.y`, `.z` ile okunur.",
  local: "Fonksiyonun içinde `var ad = …;` yeter; `var<…>` fonksiyonların dışında durur.",
  index: "Sıra numarası dışarı taşıyor: `dims` ve `gid` için 0–3 ve 0–2; eksi sıra yok.",
  call: "Bu bir fonksiyon değil; dizinin elemanı köşeli ayraçla okunur: `table[k]`.",
  outside:
    "Bu satır fonksiyonun dışında kaldı; çoğu kez yukarıda bir `}` fazladır. Dışarıda yalnız `const`, `var<…>`, `struct` ve `fn` durur.",
};

const rules: { readonly [rule in Rule]: string } = {
  "needs-atomic":
    "Sayılar bu aygıtta doğru çıktı, ama kernelde atomik işlem yok: thread’leri gerçekten yan yana koşan bir ekran kartı toplama kaybedebilir. Çözülmüş sayılması için hücreler atomik olmalı.",
  "no-atomic": "Sayılar doğru, ama amaç atomiksiz toplamak: kernelde hâlâ bir `atomic` var.",
  "no-exchange": "Sayılar doğru, ama amaç `atomicAdd`: kernel hâlâ kıyasla-değiştir kullanıyor.",
};

export const tr = {
  exercises,
  common,
  rules,
  formula: [
    "out[i] == ikiz[i], bit bit",
    "ikiz: aynı işi işlemcide yapan kernel, doğru cevabı o verir. Son elemanın arkasında bekçi değerler (−777) durur: kimse yazmamalı.",
  ],
  choose: "Alıştırmalar",
  solved: "çözüldü",
  solvedOf: (done: number, all: number) =>
    done === all ? "Yedi alıştırmanın hepsi çözüldü" : `${all} alıştırmadan ${done} tanesi çözüldü`,
  goal: "Amaç",

  primer: "İki dakikada WGSL",
  primerLines: [
    [
      "@group(0) @binding(1) var<storage, read> table: array<f32>;",
      "Aygıt belleğinde bir dizi, yani bir [arabellek](#g-buffer). `read` yalnız okunur, `read_write` yazılır; `@binding` kaçıncı arabellek olduğunu söyler.",
    ],
    [
      "@group(0) @binding(3) var<uniform> dims: vec4<u32>;",
      "Bütün thread’lerin gördüğü dört tam sayı: `dims.x` N, `dims.y` D, `dims.z` V.",
    ],
    [
      "@compute @workgroup_size(GROUP) fn embed_lookup(… gid: vec3<u32>)",
      "Kernel budur: her [thread](#g-thread) bu fonksiyonu bir kez çalıştırır. `gid` onun kaçıncı olduğu, `GROUP` bir workgroup’taki thread sayısı.",
    ],
    [
      "let a = 2u;   var b = 0.5;   b += f32(a);",
      "`let` bir kez değer alır, `var` değişir. `u32` eksisiz tam sayıdır (`2u`), `f32` kesirlidir (`0.5`); birinden ötekine `f32(a)`, `u32(b)` ile geçilir.",
    ],
    [
      "for (var k = 0u; k < n; k += 1u) { if (k % 2u == 1u) { return; } }",
      "Bloklar `{ }` arasında, komutun sonu `;`, yorum `//`. Tam sayıda `/` kalanı atar, `%` kalanı verir.",
    ],
  ] as readonly (readonly [string, string])[],

  code: "WGSL kodu",
  keys: "Ctrl+Enter (Mac’te ⌘+Enter) çalıştırır. Tab girinti yapar; çıkmak için Escape, sonra Tab.",
  plainEditor: "Renkli düzenleyici gelmedi; düz metin alanı aynı işi görür.",
  run: "Çalıştır ve denetle",
  stop: "Durdur",
  judging: (done: number, total: number) => `Durum ${Math.min(total, done + 1)} / ${total}`,
  restore: "Baştaki kernele dön",
  restored: "Baştaki kernel geri geldi.",
  solutionPut: "Çözüm düzenleyicide.",
  draftReplaced: "Bağlantıdaki kodu değiştirdin: artık taslağın bu.",
  draftBack: "Kendi taslağın geri geldi.",
  undo: "Geri al",
  queued: "Sırada: aygıt başka bir hesapla meşgul…",
  elsewhere: {
    passed: (name: string) => `${name} alıştırması geçti.`,
    failed: (name: string) => `${name} alıştırması çalıştı; sonucu var.`,
    broken: (name: string) => `${name} alıştırmasındaki kod derlenmedi, çalıştırılmadı.`,
  },
  goTo: (name: string) => `Aç: ${name}`,
  share: "Kodun bağlantısını kopyala",
  shared: "Bağlantı kopyalandı: içinde alıştırma ve kod, bir de 1. bölümdeki metnin ve ayarların var.",
  shareFailed: "Bağlantı adres çubuğunda; oradan kopyala.",
  noRoomInLink: "Bu kod bir bağlantıya sığmıyor; bağlantı yapılmadı.",
  tooLong: (most: number) => `Kod ${n(most)} harften uzun: saklanmaz, bağlantıya sığmaz, çalıştırılmaz.`,
  fromLink: "Bu kod bağlantıdan geldi. Çalıştırılmadı.",
  ownDraft: "Kendi taslağıma dön",
  badLink: "Bağlantıdaki kod okunamadı; alıştırma baştaki kerneliyle açıldı.",
  tookDown: "Bu kod son çalıştığında sayfa kapandı. Taslağın duruyor, kendiliğinden çalışmaz; önce döngülerine bak.",

  compiling: "Derleniyor…",
  compiled: "Derlendi; hata yok.",
  errors: (many: number) => (many === 1 ? "Derlenmedi: 1 hata." : `Derlenmedi: ${n(many)} hata.`),
  keptVerdict: "Aşağıdaki sonuç, en son çalışan koda ait.",
  cannotRun: "Derlendi, ama bu haliyle çalışmaz.",
  oldVerdict: "Bu sonuç, değiştirmeden önceki koda ait.",
  line: (line: number) => `satır ${n(line)}`,
  whole: "Tarayıcının sözleriyle, bütünü",
  problems: "Derleyicinin söyledikleri",

  readOnly: "Burada kod okunur, çalıştırılmaz: kerneller WebGPU ister. Neden yok:",
  readOnlyAsked: "Sayfa işlemci ikizine bağlı.",
  waitingForLast: "Önceki kernel hâlâ bitmedi; GPU bırakınca bu çalışacak.",

  verdict: "Sonuç",
  runOf: (run: number, at: Date) => `${n(run)}. çalıştırma, ${at.toLocaleTimeString("tr")}`,
  none: "Henüz çalıştırılmadı. Verilen kernel derlenir, ama durumlardan birinde yanılır: önce onu çalıştır.",
  noneOwn: "Bu kod henüz çalıştırılmadı.",
  noneFree: "Henüz çalıştırılmadı. Gövde boş: yazmaya başla, ya da çalıştırıp ilk durumda ne istendiğine bak.",
  passed: (cases: number) => `Geçti: ${n(cases)} durumun hepsi, son bitine kadar doğru.`,
  passedHere: (cases: number) =>
    `Geçti, bu aygıtta: ${n(cases)} durumun hepsi doğru. Hücreler atomik; başka bir sırayla koşan aygıtta da toplama kaybolmaz.`,
  passedSame: (cases: number) => `Geçti, bu aygıtta: ${n(cases)} durumun hepsi doğru, üç çalıştırmada aynı bitler.`,
  floatCheck:
    "Geçti, bu aygıtta. Ama NaN’ı float karşılaştırmasıyla ayırdın: WGSL derleyiciye bunu silme izni verir, başka bir aygıt NaN’ı geçirebilir. Bitlere bak.",
  next: "Sıradaki alıştırma",
  about: "Bu neydi",
  failed: (name: string, sizes: string) => `Durum *${name}* (${sizes}):`,
  sizes: (tokens: string, width: string) => `N = ${tokens}, D = ${width}`,
  value: (cell: string, want: string, got: string) => `\`${cell}\` ${want} olmalı, ${got} çıktı.`,
  lost: (cell: string, want: string, got: string, lost: string) =>
    `\`${cell}\` ${want} olmalı, ${got} çıktı; ${lost} toplama kayboldu.`,
  tooFar: (off: string, slack: string, hits: string) => `Fark ${off}; eklenen ${hits} sayıda en çok ${slack} olabilir.`,
  clamped: "Burası arabelleğin en son elemanı; daha ileriyi gösteren bir sıra numarası buraya kırpılmış olabilir.",
  unwritten: (cell: string, want: string) => `\`${cell}\` ${want} olmalı, ama hiç yazılmadı: bekçi değer duruyor.`,
  beyond: (cell: string, size: string, got: string) =>
    `\`${cell}\` çıktının dışında (${size} eleman var), ama üstüne yazıldı: bekçi değer −777 yerine ${got}.`,
  differs: (cell: string, a: string, b: string) =>
    `\`${cell}\` bir çalıştırmada ${a}, ötekinde ${b} çıktı: bitler aynı değil.`,
  beyondMany: (many: number) => `Çıktının arkasında ${n(many)} bekçi değerin üstüne yazıldı.`,
  wrongMany: (many: number, of: number) => `${n(of)} sayıdan ${n(many)} tanesi yanlış.`,
  placeOut: (thread: string, group: string, token: string) =>
    `Bu elemanın thread’i ${thread}, workgroup’u ${group}, token’ı ${token}.`,
  placeCell: (row: string, column: string, hits: string) =>
    `Satır ${row}, sütun ${column}; bu satırı ${hits} konum istiyor.`,
  passedMark: "geçti",
  failedMark: "yanlış",
  notRun: "sıra gelmedi",
  caseList: "Durumlar",
  endless: (line: number, keyword: string, turns: number) =>
    `${n(line)}. satırdaki \`${keyword}\`, bir thread’de ${n(turns)} turda bitmedi ve durduruldu. Çıkış koşuluna bak.`,
  inCase: (name: string) => `Durum *${name}*.`,

  trouble: {
    "no-device":
      "Tarayıcı atölye için bir GPU aygıtı vermedi. Birkaç kayıptan sonra tarayıcılar bir siteye yenisini vermez: sekmeyi kapatıp yeniden aç. 1–6. bölümler kendi aygıtlarıyla çalışmayı sürdürür.",
    lost: "Kod çalışırken atölyenin GPU aygıtı kayboldu. 1–6. bölümlerin aygıtı ayrıdır, onlar sürer. Yeniden çalıştırırsan yeni bir aygıt istenir.",
    hanging: (seconds: number) =>
      `Kernel ${seconds} saniyede bitmedi. Çalışan bir kernel dışarıdan durdurulamaz; GPU onu bırakınca yeniden çalıştırabilirsin. Sonucu beklenmedi.`,
    memory: "Aygıtın belleği yetmedi. Kernel’in istediği yer çok büyük.",
    refused: "Kod derleniyor, ama tarayıcı bu kernelden bir işlem hattı kurmadı. Tarayıcının sözü:",
    "no-entry": (entry: string) =>
      `\`@compute @workgroup_size(…) fn ${entry}\` bulunamadı: giriş noktasının adı bu olmalı.`,
    "group-unknown": (entry: string) =>
      `\`${entry}\` için \`@workgroup_size\` okunamadı: bir sayı ya da bir \`const\` adı yaz; kaç workgroup gerektiği ona göre hesaplanır.`,
    groupAll: (asked: number, most: number) =>
      `Workgroup ${n(asked)} thread istiyor; bu aygıtta en çok ${n(most)} olabilir.`,
    groupAxis: (axis: string, asked: number, most: number) =>
      `Workgroup ${axis} yönünde ${n(asked)} thread istiyor; bu aygıtta en çok ${n(most)} olabilir.`,
  },

  cases: {
    partial: "son workgroup dolmuyor",
    full: "workgroup’lar tam doluyor",
    outside: "sözlüğün kıyısı: V − 1, V, 2³² − 1",
    folded: "workgroup’lar x ve y’ye katlanınca",
    random: "karışık token’lar",
    small: "üç token",
    even: "D çift",
    odd: "D tek",
    nan: "gradyanda NaN",
    inf: "gradyanda ±Inf",
    zero: "gradyanda ±0, hücrede −0",
    large: "çok büyük ama sonlu",
    distinct: "her token bir kez",
    repeats: "yinelenen token’lar",
    skips: "0, Inf ve NaN atlanır",
    nanCell: "hücrede zaten NaN var",
    race: "hepsi aynı token",
    apart: "aynı token ayrı yerlerde",
    adjacent: "aynı token’lar yan yana",
    fine: "küçük kesirler ve ara değerler",
    wide: "büyük toplam: 4.096 · 4",
    signs: "artı ve eksi",
  } as { readonly [id: string]: string },

  picture: "Thread → hücre",
  pictureSmall: (tokens: string, width: string, group: string) =>
    `tokens = [${tokens}], D = ${width}, workgroup başına ${group} thread`,
  pictureBefore: "Kesikli çizgi: bu thread’in istediği hücre. Çalıştırınca, gerçekten yazdıkları da çizilir.",
  pictureAfter: "Dolu çizgi: tek başına koşan thread’in gerçekten yazdığı hücre. Kesikli: istediği, ama yazmadığı.",
  pictureUnseen:
    "Bu kernelin thread’leri tek başına izlenemedi (bariyer var ya da `global_invocation_id` yok); yalnızca istenenler çizildi.",
  thread: "thread",
  workgroup: "workgroup",
  wants: "istediği",
  wrote: "yazdığı",
  margin: "bekçi",
  moreThreads: (many: number) => `… ve ${n(many)} thread daha`,
  threadsSay: (threads: number, strays: number, shared: number) =>
    [
      `${n(threads)} thread.`,
      strays > 0 ? `${n(strays)} tanesi çıktının arkasına yazıyor.` : "",
      shared > 0 ? `${n(shared)} hücreyi birden çok thread yazıyor.` : "",
    ]
      .filter(Boolean)
      .join(" "),

  output: "Çıktı; yanlışlar çerçeveli",
  outputSay: (wrong: number, shown: number) =>
    `Isı haritası: gösterilen ${n(shown)} hücreden ${n(wrong)} tanesi yanlış.`,
  outputPart: (from: string, to: string, rows: string) => `${rows} satırdan ${from}–${to} arası gösteriliyor.`,
  outputWritten: "Çerçeveli kutuda üstte çıkan, ≠ yanında olması gereken sayı.",
  outputMargin: "Kesik çizgili gri kutular: çıktının arkasındaki, dokunulmamış bekçiler.",
  row: "satır",
  column: "sütun",
  index: "sıra",
  want: "olmalı",
  got: "çıktı",
  cellSay: (cell: string, want: string, got: string) => `${cell}: ${want} olmalı, ${got} çıktı`,

  hint: (k: number) => `${k}. ipucu`,
  showHint: (k: number) => `${k}. ipucunu göster`,
  hints: "İpuçları",
  solution: "Çözüm",
  solutionKey: "Renkli satırlar verilen kernelde yok ya da başka.",
  showSolution: "Çözümü göster",
  useSolution: "Çözümü düzenleyiciye koy",
  solutionLast: "Çözüm, üç ipucundan sonra açılır.",

  comments: {
    bounds: "embed_lookup: her thread bir eleman.\nBir denetim eksik.",
    boundsFix: "Fazla thread burada çekilir.",
    free: "embed_lookup: gövdesi sende.\nout[s, d] = table[tokens[s], d]; tokens[s] >= V ise 0",
    freeHere: "i, s, d, t …",
    nan: "embed_backward: 0, Inf ve NaN gradyanlar atlanmalı.",
    nanHere: "Inf burada yakalanıyor. NaN?",
    nanFix: "Üs bitlerinin hepsi 1 ise Inf ya da NaN.",
    packed: "f16 tablodan embed_lookup: bir u32’de iki f16.",
    packedTable: "k. eleman, k / 2 numaralı u32’nin k % 2 numaralı yarısıdır.",
    packedHere: "Her satır bir u32’nin başında mı başlar?",
    packedFix: "Önce tablodaki sıra, sonra u32 ve yarısı.",
    race: "embed_backward: grad_table[tokens[s], d] += grad_out[s, d]",
    raceHere: "Oku, topla, yaz.",
    raceFix: "Hücre hâlâ okunan bitleri taşıyorsa yaz; yoksa yeniden dene.",
    skips: "±0, ±Inf ve NaN toplanmaz; bitlerinden tanınır.",
    sum: "Atomiksiz toplama: her hücreyi satırın sahibi yazar.",
    sumHere: "Önceki konumda aynı token varsa sahip o. Ya daha gerideyse?",
    sumFix: "Sahip, token’ın ilk konumu.",
    fixed: "Sabit nokta: gradyan SCALE ile çarpılıp i32 olarak toplanır.",
    fixedFix: "Adım 1 / 65.536, menzil ±32.768.",
    fixedAdd: "Tam sayıda sıra önemsiz.",
    fixedBack: "İkinci geçiş: hücre başına bir thread, i32’den f32’ye.",
  } as { readonly [key: string]: string },
};

export type Words = typeof tr;
