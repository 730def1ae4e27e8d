// Section 8 in Turkish.
import { count, fixed, short } from "../../format";
import type { Source } from "../../state";

const n = (value: number) => count("tr", value);
const two = (value: number) => fixed("tr", value, 2);

export const tr = {
  say: "Tablo rastgele sayılarla başlar, hiçbir kelimeyi tanımaz. Her adımda yan yana gelmiş kelime çiftleri çekilir: skip-gram bir çiftin iki satırını birbirine *yaklaştırır*, rastgele çekilen beş kelimeninkini *uzaklaştırır*. Kimse tabloya “kedi ile köpek benzer” demez. Hesabı 2. ve 3. bölümün kernelleri yapar: satırları oku, gradyanı satır satır topla, adımı at.",
  formula: [
    "L = −log σ(c·b) − Σₖ log σ(−c·nₖ)",
    "c: kelimenin satırı, b: yanında durmuş olanınki, nₖ: rastgele K = 5 kelimeninki. Başta çarpımların hepsi 0, L = 6 · ln 2 = 4,16.",
  ] as readonly string[],

  board: "Eğitim",
  source: "Kaynak",
  sources: { pairs: "Kelime çiftleri", tale: "Masal", text: "Senin metnin" } as {
    readonly [kind in Source]: string;
  },
  about: {
    pairs: (pairs: number, words: number) =>
      `${n(words)} kelimeden ${n(pairs)} komşu çift: Zemberek’in iki kelimelik dil modelinden, Apache-2.0. Modelde bütün harfler küçük, “ankara” da öyle.`,
    tale: (pairs: number, words: number) =>
      `1. bölümdeki masal: ${n(words)} farklı parça, birbirine en çok üç parça uzakta duran ${n(pairs)} çift.`,
    text: (pairs: number, words: number) =>
      `1. bölümdeki metnin: ${n(words)} farklı parça, birbirine en çok üç parça uzakta duran ${n(pairs)} çift.`,
  },
  few: (words: number) => `Yalnız ${n(words)} farklı parça var. 200’ün altında tablo dili öğrenmez, bu metni ezberler.`,
  cannot: "Eğitmek için yan yana duran iki farklı parça gerek: 1. bölümde biraz daha yaz.",
  loading: "Kelime çiftleri yükleniyor…",
  missing: (why: string) => `Kelime çiftleri gelmedi (${why}). Masalla ya da kendi metninle eğitebilirsin.`,
  changed: "Metin bu koşudan sonra değişti. Yeniden başlatınca yeni metinle baştan başlar.",

  start: "Eğit",
  resume: "Devam et",
  stop: "Dur",
  one: "Bir adım",
  again: "Aynı sayılarla yeniden",
  seed: (seed: number) => `Tohum ${seed}`,
  newSeed: "Yeni tohum",
  rule: "Kural",
  rules: { adagrad: "Adagrad", sgd: "Düz SGD" },
  rate: "Adım büyüklüğü",
  slow: "Yavaş",
  wrong: "Yanlış giden iki koşu",
  collapse: "Düz SGD’nin çöküşü",
  tooLarge: "Fazla büyük adım",
  restore: "Adagrad 0,3’e dön",

  steps: "adım",
  pairs: "çift",
  stepsPerSecond: "adım/s",
  pairsPerSecond: "çift/s",
  rowsTouched: "satır, bu adımda",
  preparing: "Tablolar hazırlanıyor…",
  waiting: "Cihaz başka bir ölçümde; sıra bekleniyor…",
  asleep: "Sekme gizliyken bekliyor.",
  onCpu: (pairs: number) => `Bu tarayıcıda GPU yok: adımlar işlemcide atılıyor, her biri ${n(pairs)} çift.`,
  onSoftware: (pairs: number) => `Yazılım adaptörü: her adım ${n(pairs)} çift. Ekran kartında 16.384.`,
  onCard: (pairs: number) => `Her adım ${n(pairs)} çift.`,
  lost: (step: number) =>
    `Cihaz kayboldu: ${n(step)} adımda öğrenilen de gitti, çünkü iki tablo yalnız onun belleğindeydi. Grafikler son okunandan kaldı. Yeniden başlatınca aynı tohumla ilk adımdan başlar.`,
  same: (readings: number) =>
    `Aynı tohum, aynı sayılar: önceki koşuyla ortak ${n(readings)} okumanın hepsinde bitler bir.`,
  differs: (step: number) => `Sayılar önceki koşudan ayrıldı; ilk fark ${n(step)}. adımda.`,
  ended: (step: number) => `${n(step)}. adımda durdu.`,

  cosines: "Kosinüsler",
  cosinesSay: "eğitilen satırlar arasında",
  control: "kontrol",
  bundled: "hazır tabloda",
  trained: "burada",
  pair: "çift",
  kindOf: "tür",
  related: "bağlı",
  atStart: "başta",
  noCosine: "yok",
  chart: (pair: string, now: string) => `${pair}: kosinüs şimdi ${now}`,
  keySolid: "eğitilen",
  keyDashed: "hazır vektörlerde (16.000 kelime ve bir SVD ne diyor)",
  controlSay:
    "Kontrol çiftlerini hiçbir şey birbirine bağlamaz. Onlar da yükseliyorsa tablo anlam değil, başka bir şey öğreniyordur.",

  outcome: {
    none: "Henüz adım yok: satırlar, tohumdan çıkan rastgele sayılar.",
    early: (related: number, loss: number, start: number) =>
      `Çiftler daha ayrılmadı: bağlı olanların kosinüsü ortalama ${two(related)}, kayıp ${two(start)} iken ${two(loss)} oldu.`,
    apart: (related: number, pair: string, control: number, loss: number, start: number) =>
      `Bağlı çiftler ortalama *${two(related)}*, en yüksek kontrol (${pair}) *${two(control)}*: tablo ayırt ediyor. Kayıp ${two(start)} iken ${two(loss)} oldu.`,
    controlRose: (related: number, pair: string, control: number) =>
      `Bağlı çiftler ortalama ${two(related)}, ama kontrol olan ${pair} de *${two(control)}*: aradaki fark az. Buradan “anlamı öğrendi” sonucu çıkmaz.`,
    noControl: (related: number, loss: number, start: number) =>
      `Kosinüs ${two(related)}, kayıp ${two(start)} iken ${two(loss)}. Bu kadar az parçada kontrol çifti yok; yükselen bir kosinüs tek başına hiçbir şey göstermez.`,
    collapsed: (least: number, loss: number, start: number, fell: boolean) =>
      `${fell ? `Kayıp ${two(start)} iken ${two(loss)} oldu, yani “iyileşti”; ama` : `Kayıp ${two(loss)}; ve`} izlenen kosinüslerin *en düşüğü bile ${two(least)}*. Bütün satırlar aynı yöne bakıyor: tablo hiçbir kelimeyi ötekinden ayırmıyor. Yalnız kedi ~ köpek’e bakan bunu başarı sanırdı; çöküşü gösteren, kontroller.`,
    collapsedWhy:
      "Düz SGD her satıra aynı boyda adım attırır. Sık geçen satırlar her adımda yüzlerce gradyanı toplar, büyür ve ötekileri peşinden sürükler. Adagrad’da her satır kendi birikmiş gradyanına bölünür: çok geçen küçük, az geçen büyük adım atar.",
    tooLarge: (loss: number, peak: number, at: number, start: number) =>
      `Adım fazla büyük: kayıp ${two(start)} ile başladı, ${n(at)}. adımda *${short("tr", peak)}* oldu${loss === peak ? "" : `, şimdi ${short("tr", loss)}`}. Her adım çukurun dibini aşıp karşı yamaca, daha yükseğe çıkıyor.`,
    broken: (step: number, loss: string) =>
      `Sayılar bitti: ${n(step)}. adımda kayıp ya da izlenen bir satır sayı olmaktan çıktı (kayıp ${loss}). Değerler her adımda katlanıp f32’nin sınırını, 3,4 · 10³⁸’i geçti; Inf − Inf de \`NaN\` eder. Bu tablo düzelmez, baştan başlamalı.`,
  },

  loss: "Kayıp",
  lossSay: "çift başına",
  lossStart: (start: number) => `başlangıç ${two(start)}`,
  lossLabel: (now: string, start: string) => `Kayıp ${now}; başlangıç çizgisi ${start}`,
  logScale: "ölçek logaritmik",
  xPairs: "görülen çift",

  touched: "Bir adımda dokunulan satırlar",
  touchedSay: (rows: number, vocabulary: number, positions: number) =>
    `Adımdaki ${n(positions)} hedef ${n(vocabulary)} satırın yalnız *${n(rows)}* tanesine düştü; gradyan da adım da yalnız onlara yazılır.`,
  touchedTop: (piece: string, hits: number, once: number) =>
    `En çok “${piece}”: ${n(hits)} kez. Yalnız bir kez gelen: ${n(once)} satır. 3. bölümdeki eğri burada da var: Zipf.`,
  touchedLabel: (rows: number, most: number) => `Satır başına isabet, sıraya göre: ${n(rows)} satır, en çok ${n(most)}`,
  rank: "sıra",
  hits: "isabet",
  noneYet: "İlk adımdan sonra görünür.",

  near: "En yakın beş",
  nearOf: "Kelime",
  nearBefore: "Başta",
  nearNow: (step: number) => `${n(step)}. adımda`,
  word: "kelime",
  neighbour: "komşu",
  cosine: "kosinüs",
  when: "ne zaman",

  keep: "Eğittiğin tablo",
  keepSay: (words: number, width: number) =>
    `${n(words)} kelimenin ${width} sütunlu satırları. CSV ve JSON hepsini taşır.`,
  show: "2. bölümde bu tabloyu göster",
  showing: (steps: number) =>
    `2. bölüm şimdi bu tablonun ${n(steps)}. adımdaki halini gösteriyor: satırlar, komşular, f16. `,
  goThere: "2. bölüme git",
  putBack: "Hazır tabloyu geri koy",
  needVectors: "Hazır vektörler yüklenmeden 2. bölüm tablo gösteremez.",
  piece: "parça",
  id: "id",
  norm: "norm",

  ask: "Kayıp düşüyor, kedi ~ köpek yükseliyor. Öğrendiğini söylemek için daha neye bakmalı?",
  answer:
    "Yükselmemesi gerekenlere. Düz SGD koşusunda kayıp da düşer, kedi ~ köpek de 1’e çıkar; kedi ~ ankara da çıkar. Bir ölçünün anlamı, başka türlü de çıkabilecek olmasından gelir.",
};

export type TrainStrings = typeof tr;
